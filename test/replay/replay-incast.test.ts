import { beforeAll, describe, expect, it } from 'vitest';
import { createEngineSync, us } from '../../src/index.js';
import { readCapture, timePsSince } from '../../src/capture/index.js';
import { openFlows } from '../../src/replay/open-flows.js';
import type { ReplayReport } from '../../src/replay/index.js';
import { capture, expected, flows, options, replayCapture } from './support/incast.js';
import { referenceBackend } from '../../src/reference/index.js';

describe('replaying the bundled incast', () => {
  let result: ReplayReport;
  beforeAll(async () => {
    result = await replayCapture(capture(), flows, options);
  });

  it('matches every CNP and Fast CNP to its QP', () => {
    const found = result.flows.map(({ flow, cnpsSeen, fastCnpsSeen }) => ({
      flow,
      cnps: cnpsSeen,
      fastCnps: fastCnpsSeen,
    }));
    expect(found).toEqual(expected.map(({ flow, cnps, fastCnps }) => ({ flow, cnps, fastCnps })));
    expect(result.unresolved).toEqual([]);
  });

  it('attributes every data frame and every mark to its flow', () => {
    const found = result.flows.map(({ flow, dataFrames, markedFrames }) => ({ flow, dataFrames, markedFrames }));
    expect(found).toEqual(expected.map(({ flow, dataFrames, markedFrames }) => ({ flow, dataFrames, markedFrames })));
  });

  it('computes as many CNPs due for each flow as the receivers sent', () => {
    expect(result.flows.map((flow) => flow.cnpsDue)).toEqual(expected.map((flow) => flow.cnps));
    expect(result.notifications).toMatchObject({
      markedFrames: 2273,
      cnpsDue: 127,
      marksSuppressed: 2146,
      cnpsSeen: 127,
    });
  });

  it('counts each frame once as handled, ignored or rejected, per class and in total', () => {
    const { classes, totals, capture: file } = result;
    for (const { frames, handled, ignored, rejected } of Object.values(classes)) {
      expect(handled + ignored + rejected).toBe(frames);
    }
    expect(totals.in).toBe(totals.handled + totals.ignored + totals.rejected);
    expect(totals).toMatchObject({ in: 20890, unsupportedLink: 0 });
    expect(file).toMatchObject({
      frames: 20890,
      bytes: 21969268,
      durationPs: 2021948000,
      untimedFrames: 0,
      offClockFrames: 0,
    });
    expect(Object.values(totals.outcomes).reduce((a, b) => a + b)).toBe(totals.in);
  });

  it('reports accepted Fast CNPs, rejected ones by reason, and the switch that sent them', () => {
    const { seen, accepted, rejected, sources } = result.fastCnps;
    expect({ seen, accepted, rejected }).toEqual({ seen: 187, accepted: 67, rejected: { 'fast-cnp-duplicate': 120 } });
    expect(sources).toEqual([{ address: '2001:db8:ffff::5', origin: 'network', seen, accepted, rejected }]);
  });

  it('reports the lowest rate, the current rate and a rate history for each notified QP', () => {
    for (const flow of result.flows) {
      const isNotified = flow.cnpsSeen + flow.fastCnpsSeen > 0;
      expect(flow.rateLine !== undefined).toBe(isNotified);
      expect(flow.lowestRateBps).toBeLessThanOrEqual(flow.rateBps);
      if (flow.rateLine === undefined) continue;
      const { sliceDurationPs, meanRatesBps } = flow.rateLine;
      expect(meanRatesBps).toHaveLength(Math.ceil(result.capture.durationPs / sliceDurationPs));
      expect(meanRatesBps[0]).toBe(100e9);
      expect(Math.min(...meanRatesBps)).toBeGreaterThanOrEqual(flow.lowestRateBps * (1 - 1e-12));
    }
  });

  it('has the same rates as an engine that receives the frames one by one', async () => {
    const engine = createEngineSync({
      ...options.engine,
      parameterSets: { p: options.parameters },
      lateEvents: 'clamp',
    });
    const open = openFlows(engine, flows);
    const origin = {
      hasTime: true,
      epochSeconds: result.capture.start!.epochSeconds,
      picoseconds: result.capture.start!.picoseconds,
    };
    let timePs = 0;
    for await (const frame of readCapture(capture())) {
      timePs = timePsSince(frame, origin);
      engine.packets.add(timePs, frame.bytes, frame.originalBytes);
      engine.applyPackets();
    }
    engine.advance(timePs);
    expect(result.flows.map((flow) => flow.rateBps)).toEqual(
      open.filter((qp) => qp.listed).map((qp) => engine.rateBps(qp.qp)),
    );
  });

  it('gives the same result with the JavaScript backend', async () => {
    const other = await replayCapture(capture(), flows, {
      ...options,
      engine: { ...options.engine, backend: referenceBackend },
    });
    const what = ({ classes, flows: found, notifications, fastCnps, totals }: ReplayReport): unknown => ({
      classes,
      found,
      notifications,
      fastCnps,
      totals,
    });
    expect(what(other)).toEqual(what(result));
  });

  it('reports an unlisted flow if only the opposite direction is listed', async () => {
    const turned = flows.map((flow) => ({
      ...flow,
      senderAddress: flow.peerAddress,
      senderQpn: flow.peerQpn,
      peerAddress: flow.senderAddress,
      peerQpn: flow.senderQpn,
    }));
    const { flows: found } = await replayCapture(capture(), turned, options);
    const notified = found.filter((flow) => flow.reverse).map(({ flow, cnpsSeen, fastCnpsSeen }) => ({
      flow,
      cnpsSeen,
      fastCnpsSeen,
    }));
    const wanted = expected.filter(({ cnps, fastCnps }) => cnps + fastCnps > 0);
    expect(notified).toEqual(
      wanted.map(({ flow, cnps, fastCnps }) => ({ flow, cnpsSeen: cnps, fastCnpsSeen: fastCnps })),
    );
  });
});

describe('settings of a replay', () => {
  it('rejects every Fast CNP by default, but not the CNPs', async () => {
    const { fastCnps, notifications } = await replayCapture(capture(), flows, { parameters: options.parameters });
    expect(fastCnps).toMatchObject({ seen: 187, accepted: 0, rejected: { 'fast-cnp-disabled': 187 } });
    expect(notifications.cnpsHandled).toBe(127);
  });

  it('rejects Fast CNPs from sources that are not on the access list', async () => {
    const fastCnp = {
      enabled: true,
      accessList: [{ prefix: '2001:db8::/32', action: 'deny' }],
      defaultAction: 'allow',
    } as const;
    const { fastCnps } = await replayCapture(capture(), flows, { ...options, engine: { fastCnp } });
    expect(fastCnps.rejected).toEqual({ 'fast-cnp-rejected': 187 });
  });

  it('discards the same frames as a plain RoCEv2 adapter in strict mode', async () => {
    const { classes } = await replayCapture(capture(), flows, {
      ...options,
      engine: { parser: { mode: 'strict-a17' } },
    });
    expect(classes['fast-cnp-1'].frames + classes['fast-cnp-2'].frames).toBe(0);
    expect(classes.discard.rejected).toBe(classes.discard.frames);
    expect(classes.discard.frames).toBeGreaterThanOrEqual(187);
  });

  it('computes a CNP due for each mark if the interval is 0', async () => {
    const notificationPoint = { minTimeBetweenCnpsPs: 0 };
    const { notifications } = await replayCapture(capture(), flows, { ...options, engine: { notificationPoint } });
    expect(notifications).toMatchObject({ markedFrames: 2273, cnpsDue: 2273 });
  });

  it('shares CNPs across a port if configured', async () => {
    const notificationPoint = { scope: 'port', minTimeBetweenCnpsPs: us(50) } as const;
    const { notifications } = await replayCapture(capture(), flows, { ...options, engine: { notificationPoint } });
    expect(notifications.cnpsDue).toBeLessThan(45);
  });

  it('stops after the limit of frames', async () => {
    const { capture: file, totals, error } = await replayCapture(capture(), flows, { ...options, limitFrames: 5000 });
    expect(file).toMatchObject({ frames: 5000, limited: true });
    expect(totals.in).toBe(5000);
    expect(error).toBeUndefined();
  });
});
