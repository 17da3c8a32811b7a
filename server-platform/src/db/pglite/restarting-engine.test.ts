import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../database-error.ts';
import { type RestartableEngine, RestartingEngine } from './restarting-engine.ts';

const BROKEN = new DatabaseError('unavailable', 'broken');
const NO_ROOM = new DatabaseError('unavailable', 'no room');

class FakeEngine implements RestartableEngine {
  failure: DatabaseError | null = null;
  isLasting = false;
  ended: 'closed' | 'killed' | null = null;

  async query(): Promise<readonly object[]> {
    return [];
  }

  async close(): Promise<void> {
    this.ended = 'closed';
  }

  async kill(): Promise<void> {
    this.ended = 'killed';
  }
}

function keep(openings: readonly (FakeEngine | DatabaseError)[] | null) {
  const first = new FakeEngine();
  const clock = { nowMs: 0 };
  const left = [...(openings ?? [])];
  const reopen = async (): Promise<FakeEngine> => {
    expect(first.ended, 'the broken engine has let go of the folder').toBe('killed');
    const next = left.shift();
    if (next === undefined) throw new Error('opened too often');
    if (next instanceof DatabaseError) throw next;
    return next;
  };
  const kept = new RestartingEngine({
    first,
    reopen: openings === null ? null : reopen,
    now: () => clock.nowMs,
  });
  return { first, clock, kept };
}

describe('an embedded engine that broke', () => {
  it('reopens a broken engine once for all callers', async () => {
    const second = new FakeEngine();
    const { first, kept } = keep([second]);
    expect(await kept.engine()).toBe(first);
    first.failure = BROKEN;
    expect(await Promise.all([kept.engine(), kept.engine()])).toEqual([second, second]);
    expect(await kept.engine()).toBe(second);
    await kept.close();
    expect(second.ended).toBe('closed');
  });

  it('retries a broken engine after a pause when it cannot be reopened, and refuses calls until then', async () => {
    const second = new FakeEngine();
    const { first, clock, kept } = keep([NO_ROOM, second]);
    first.failure = BROKEN;
    await expect(kept.engine()).rejects.toBe(NO_ROOM);
    clock.nowMs = 4_999;
    await expect(kept.engine()).rejects.toBe(NO_ROOM);
    clock.nowMs = 5_000;
    expect(await kept.engine()).toBe(second);
  });

  it('closes an engine that was being reopened once it is open', async () => {
    const second = new FakeEngine();
    const { first, kept } = keep([second]);
    first.failure = BROKEN;
    const opened = kept.engine();
    await kept.close();
    expect(await opened).toBe(second);
    expect(second.ended).toBe('closed');
  });

  it('completes close although the engine cannot be reopened', async () => {
    const { first, kept } = keep([NO_ROOM]);
    first.failure = BROKEN;
    const refused = expect(kept.engine()).rejects.toBe(NO_ROOM);
    await expect(kept.close()).resolves.toBeUndefined();
    await refused;
  });

  it('does not reopen an engine in memory, or one whose data is not durable', async () => {
    const unsafe = keep([new FakeEngine()]);
    Object.assign(unsafe.first, { failure: BROKEN, isLasting: true });
    await expect(unsafe.kept.engine()).rejects.toBe(BROKEN);
    const inMemory = keep(null);
    inMemory.first.failure = BROKEN;
    await expect(inMemory.kept.engine()).rejects.toBe(BROKEN);
    await inMemory.kept.close();
    expect(inMemory.first.ended).toBe('killed');
  });
});
