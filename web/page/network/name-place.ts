/**
 * Places a name in the picture of a network, next to its link, where it hides least of other links, nodes and names.
 */
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
/** Weight of one pixel of a link's width, if the whole link is hidden. */
const LINK_WEIGHT = 24;
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

/** Weight of what a rectangle hides: links by width and length inside, nodes and their names. */
function coverOf({ lines, nodes }: Scene, own: Scene['lines'][number], place: Rectangle): number {
  let covered = 0;
  for (const line of lines) {
    covered += LINK_WEIGHT * (line === own ? 2 * line.width : line.width) * shareInside(place, line);
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

/** Share of a link that lies in a rectangle. */
function shareInside({ x, y, width, height }: Rectangle, { x0, y0, x1, y1 }: Scene['lines'][number]): number {
  // Most links are far away.
  if (Math.max(x0, x1) < x || Math.min(x0, x1) > x + width) return 0;
  if (Math.max(y0, y1) < y || Math.min(y0, y1) > y + height) return 0;
  const [fromX, toX] = crossings(x0, x1, x, x + width);
  const [fromY, toY] = crossings(y0, y1, y, y + height);
  return Math.max(0, Math.min(toX, toY) - Math.max(fromX, fromY));
}

/** The points at which a link enters and leaves a strip, as shares of its length, 0 to 1. */
function crossings(from: number, to: number, low: number, high: number): readonly [enters: number, leaves: number] {
  if (from === to) return [0, 1];
  const [one, other] = [(low - from) / (to - from), (high - from) / (to - from)];
  return [Math.max(0, Math.min(one, other)), Math.min(1, Math.max(one, other))];
}

const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
