/** Serves the counters of a watch to Prometheus (text exposition format 0.0.4), on the loopback interface only. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WatchView } from '../../live/index.js';
import { RoceError } from '../../errors.js';

const HOST = '127.0.0.1';
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const STREAMS_MOST = 1000;

/** A running server. */
interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws RoceError `invalid-argument` if the port is not available. */
export async function serveMetrics(port: number, view: () => WatchView | undefined): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isKnown = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': CONTENT_TYPE });
    response.end(isKnown ? metricsText(view()) : 'metrics are at /metrics\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const fields = { what: `TCP port ${port} of ${HOST}`, problem: 'can not be opened', cause, where: '--metrics' };
      reject(new RoceError('invalid-argument', fields));
    });
    server.listen(port, HOST, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${chosen}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** All counters of a view; an empty text before the first view. */
export function metricsText(view: WatchView | undefined): string {
  if (view === undefined) return '';
  const { report, port } = view;
  const { notifications, fastCnps, capture, mrc, uet } = report;
  const lines: string[] = [];
  const add = (name: string, help: string, samples: readonly (readonly [string, number])[]): void => {
    lines.push(`# HELP roce_cc_${name} ${help}`, `# TYPE roce_cc_${name} counter`);
    for (const [labels, value] of samples) lines.push(`roce_cc_${name}${labels} ${value}`);
  };
  add('frames_total', 'Frames by class.', Object.entries(report.classes).map(([name, { frames }]) => [
    `{class="${name}"}`,
    frames,
  ]));
  add('bytes_total', 'Bytes on the wire.', [['', capture.bytes]]);
  add('marked_frames_total', 'CE-marked data frames.', [['', notifications.markedFrames]]);
  add('cnps_due_total', 'CNPs that notification points would have sent.', [['', notifications.cnpsDue]]);
  add('cnps_seen_total', 'CNPs seen.', [['', notifications.cnpsSeen]]);
  add('fast_cnps_seen_total', 'Fast CNPs seen.', [['', fastCnps.seen]]);
  if (mrc !== undefined) {
    add('mrc_frames_total', 'Frames of MRC by kind.',
      Object.entries(mrc.kinds).map(([kind, frames]) => [`{kind="${kind}"}`, frames]));
    add('mrc_trimmed_frames_total', 'Frames of MRC that a switch trimmed.', [['', mrc.trimmed]]);
    add('mrc_malformed_frames_total', 'Malformed frames of MRC.', [['', mrc.malformed]]);
  }
  if (uet !== undefined) {
    add('uet_frames_total', 'Frames of Ultra Ethernet by type.',
      uet.types.map(({ name, frames }) => [`{type="${name}"}`, frames]));
    add('uet_trimmed_frames_total', 'Frames of Ultra Ethernet that a switch trimmed.', [['', uet.trimmed]]);
    add('uet_nacks_total', 'NACKs of Ultra Ethernet by code.',
      uet.nacks.map(({ name, frames }) => [`{code="${name}"}`, frames]));
  }
  const streams = report.streams.slice(0, STREAMS_MOST).map(({ source, destination, destQpn, bytes }) =>
    [`{source="${source}",destination="${destination}",qpn="${destQpn}"}`, bytes] as const
  );
  add('stream_bytes_total', 'Bytes on the wire by source, destination and destination QPN.', streams);
  if (port !== undefined) {
    add('port_received_frames_total', 'Frames that the port returned.', [['', port.receivedFrames]]);
    add('port_dropped_frames_total', 'Frames that the port dropped, by reason.',
      Object.entries(port.receiveDrops).map(([reason, frames]) => [`{reason="${reason}"}`, frames]));
  }
  return `${lines.join('\n')}\n`;
}
