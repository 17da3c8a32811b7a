import { describe, expect, it } from 'vitest';
import { CONVERSATION_START, testEvent, testMessage } from '../../../test/db/fixtures.ts';
import type { AppendEffects, AppendRequest } from './append-request.ts';
import { SessionBatchBuilder } from './session-batch-builder.ts';

function request(effects?: AppendEffects, draft?: string): AppendRequest {
  const event = draft === undefined ? testEvent() : testMessage(draft);
  return { sessionId: '00000000-0000-4000-8000-000000000001', epoch: 1, events: [event], effects };
}

/** Whether the last request fits into the same statement as the earlier ones. */
function isTaken(...requests: readonly [AppendRequest, ...AppendRequest[]]): boolean {
  const share = new SessionBatchBuilder(requests[0]);
  for (const each of requests.slice(0, -1)) share.take(each);
  return share.mayTake(requests.at(-1) ?? requests[0]);
}

describe('the requests of a session in one statement', () => {
  it('combines only requests of the same owner in one statement', () => {
    expect(isTaken(request(), request())).toBe(true);
    expect(isTaken(request(), { ...request(), epoch: 2 })).toBe(false);
    expect(isTaken({ ...request(), epoch: 2 }, request())).toBe(false);
  });

  it('puts each draft id and turn into a statement once', () => {
    const [begins, ends] = [
      { beginTurn: { id: 'turn 1', messageId: 'msg_1', startedAtMs: 1 } },
      { endTurn: { id: 'turn 1' } },
    ];
    expect(isTaken(request({}, 'a'), request({}, 'b'))).toBe(true);
    expect(isTaken(request({}, 'a'), request({}, 'b'), request({}, 'a'))).toBe(false);
    expect(isTaken(request(begins), request({ endTurn: { id: 'turn 2' } }))).toBe(true);
    expect(isTaken(request(begins), request(), request(ends))).toBe(false);
    expect(isTaken(request({ queueTurn: { id: 'turn 1' } }), request(ends))).toBe(false);
  });

  it('combines records of one conversation only, which only the first may start', () => {
    const [goesOn, starts, other] = [
      { record: { id: 'CONV-1' } },
      { record: { id: 'CONV-1', start: CONVERSATION_START } },
      { record: { id: 'CONV-2' } },
    ];
    expect(isTaken(request(starts), request(goesOn))).toBe(true);
    expect(isTaken(request(), request(starts))).toBe(true);
    expect(isTaken(request(goesOn), request(starts))).toBe(false);
    expect(isTaken(request(goesOn), request(other))).toBe(false);
  });

  it('combines no records with one whose request may be a duplicate', () => {
    const effects = { record: { id: 'CONV-1' } };
    expect(isTaken(request(effects, 'a'), request(effects))).toBe(false);
    expect(isTaken(request(effects), request(effects, 'a'))).toBe(false);
    expect(isTaken(request(effects, 'a'), request())).toBe(true);
  });

  it('puts nothing after a request that sets session fields or runs other statements', () => {
    expect(isTaken(request({ session: { lastActivityMs: 1 } }), request())).toBe(true);
    expect(isTaken(request({ session: { language: 'fr' } }), request())).toBe(false);
    expect(isTaken(request({ also: async () => {} }), request())).toBe(false);
    expect(isTaken(request(), request({ also: async () => {} }))).toBe(true);
  });
});
