/** Place of a name in the picture of a network: next to its link, where it covers least of other links, nodes and names. */
import type { Scene } from '../../../src/view/network/scene.js';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const HEIGHT_PX = 17;
const PAD_PX = 2;
const GAPS_PX = [10, 26, 48] as const;
/** Points along a link, for what a rectangle covers of it. */
const POINTS = 24;
const NODE_WEIGHT = 6;
const LETTER_PX = 7;
const LABEL_HEIGHT_PX = 13;

/** @param textPx width of the name. */
export function namePlace(scene: Scene, link: Scene['lines'][number], textPx: number): Rectangle {
  const [width, height] = [textPx + 2 * PAD_PX, HEIGHT_PX];
  const [middleX, middleY] = [(link.x0 + link.x1) / 2, (link.y0 + link.y1) / 2];
  const [left, right] = [Math.min(link.x0, link.x1), Math.max(link.x0, link.x1)];
  const places = GAPS_PX.flatMap((gap) => [
    [right + gap, middleY - height / 2],
    [left - gap - width, middleY - height / 2],
    [middleX - width / 2, Math.min(link.y0, link.y1) - gap - height],
    [middleX - width / 2, Math.max(link.y0, link.y1) + gap],
    [right + gap, Math.min(link.y0, link.y1) - height],
    [left - gap - width, Math.max(link.y0, link.y1)],
  ]).map(([x = 0, y = 0]): Rectangle => ({
    x: Math.max(0, Math.min(x, scene.width - width)),
    y: Math.max(0, Math.min(y, scene.height - height)),
    width,
    height,
  }));
  let [best, least] = [places[0] ?? { x: 0, y: 0, width, height }, Infinity];
  for (const place of places) {
    const covered = coverOf(scene, link, place);
    if (covered < least) [best, least] = [place, covered];
  }
  return best;
}

/** How much a rectangle covers: widths of links by their points, nodes and their names. Its own link counts as any other. */
export function coverOf({ lines, nodes }: Scene, own: Scene['lines'][number], place: Rectangle): number {
  let covered = 0;
  for (const line of lines) {
    if (!isNear(place, line)) continue;
    const weight = line === own ? 2 * line.width : line.width;
    for (let point = 0; point <= POINTS; point++) {
      const share = point / POINTS;
      if (isIn(place, line.x0 + share * (line.x1 - line.x0), line.y0 + share * (line.y1 - line.y0))) covered += weight;
    }
  }
  for (const { x, y, radius, label, labelY } of nodes) {
    if (overlaps(place, { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }))
      covered += NODE_WEIGHT * radius;
    const labelPx = label.length * LETTER_PX;
    const ofLabel = { x: x - labelPx / 2, y: labelY - LABEL_HEIGHT_PX, width: labelPx, height: LABEL_HEIGHT_PX + 3 };
    if (label !== '' && overlaps(place, ofLabel)) covered += NODE_WEIGHT * LABEL_HEIGHT_PX;
  }
  return covered;
}

/** Whether a link's points can be in a rectangle: most are far from it. */
const isNear = ({ x, y, width, height }: Rectangle, { x0, y0, x1, y1 }: Scene['lines'][number]): boolean =>
  Math.max(x0, x1) >= x && Math.min(x0, x1) <= x + width && Math.max(y0, y1) >= y && Math.min(y0, y1) <= y + height;

const isIn = (place: Rectangle, x: number, y: number): boolean =>
  x >= place.x && x <= place.x + place.width && y >= place.y && y <= place.y + place.height;

const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
