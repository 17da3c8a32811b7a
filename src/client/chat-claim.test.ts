import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ChatHarness, isOpen, settle, trackHarnesses, until } from '../../test/chat-harness.ts';

const { greeted, reload } = trackHarnesses(afterEach);
afterEach(() => void vi.unstubAllGlobals());

/** Replaces the browser's hash function. */
function stubDigest(digest: typeof crypto.subtle.digest): void {
  const { crypto } = globalThis;
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal('crypto', { getRandomValues, subtle: { digest } });
}

/** Holds the next hashes marked `true`, in order, until the returned function is called. */
function holdDigests(...waits: boolean[]): () => void {
  const { subtle } = crypto;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  stubDigest(async (algorithm, data) => {
    if (waits.shift()) await held;
    return subtle.digest(algorithm, data);
  });
  return release;
}

/** Records every line shown from now on. */
function watchLines({ chat, lines }: ChatHarness): Set<string> {
  const shown = new Set(lines());
  chat.subscribe(() => {
    for (const line of lines()) shown.add(line);
  });
  return shown;
}

async function anaLeft(): Promise<ChatHarness> {
  const one = await greeted();
  await one.chat.claim('ana');
  one.chat.send('Ana was here');
  await until(() => one.lines().includes('user: Ana was here'));
  await settle();
  return reload(one);
}

describe('a claim', () => {
  it('claims the user before a later start, so that no visitor sees another user’s conversation', async () => {
    const next = await anaLeft();
    const shown = watchLines(next);
    const release = holdDigests(true);
    const claimed = next.chat.claim('ben');
    const started = next.chat.start();
    await settle();
    release();
    await Promise.all([claimed, started]);
    await until(() => next.platform.sessions.length === 2 && next.lines().includes('agent: Hello'));
    expect([...shown].join()).not.toContain('Ana');
    expect(next.chat.currentSession().owner).toBe(await claimed);
  });

  it('continues the claimed user’s own conversation', async () => {
    const next = await anaLeft();
    void next.chat.claim('ana');
    await next.chat.start();
    await until(() => next.lines().includes('user: Ana was here'));
    expect(next.platform.sessions).toHaveLength(1);
  });

  it('completes a claim before a later logout', async () => {
    const one = await greeted();
    const claimed = one.chat.claim('ana');
    await one.chat.logout();
    await claimed;
    expect(one.chat.currentSession().owner).toBe('');
  });

  it('completes a claim before a later end', async () => {
    const one = await greeted();
    const claimed = one.chat.claim('ana');
    await one.chat.endChat();
    expect(one.chat.currentSession().owner).toBe(await claimed);
    expect(one.chat.session.value.status).toBe('ended');
  });

  it('completes claims in order, however long their hashes take', async () => {
    const release = holdDigests(true);
    const one = await greeted();
    const first = one.chat.claim('ana');
    const second = one.chat.claim('ben');
    release();
    await first;
    const owner = await second;
    expect(one.chat.currentSession().owner).toBe(owner);
  });

  it('delays a start until the last claim has completed', async () => {
    const next = await anaLeft();
    const shown = watchLines(next);
    const release = holdDigests(false, true);
    const first = next.chat.claim('ana');
    const second = next.chat.claim('ben');
    await first;
    const started = next.chat.start();
    await settle();
    release();
    await Promise.all([second, started]);
    await until(() => next.platform.sessions.length === 2 && next.lines().includes('agent: Hello'));
    expect([...shown].join()).not.toContain('Ana');
  });

  it('drops a claim without a hash on logout, so that the next visitor can start', async () => {
    const next = await anaLeft();
    stubDigest(() => Promise.reject(new Error('no hash')));
    await expect(next.chat.claim('ben')).rejects.toThrow('no hash');
    await next.chat.logout();
    await next.chat.start();
    await until(() => isOpen(next) && next.lines().includes('agent: Hello'));
    expect(next.lines().join()).not.toContain('Ana');
  });

  it('starts nothing after a claim whose hash failed, until another one succeeds', async () => {
    const next = await anaLeft();
    stubDigest(() => Promise.reject(new Error('no hash')));
    await expect(next.chat.claim('ben')).rejects.toThrow('no hash');
    await expect(next.chat.start()).rejects.toThrow('no hash');
    expect(next.lines()).toEqual([]);
    vi.unstubAllGlobals();
    await next.chat.claim('ana');
    await next.chat.start();
    await until(() => isOpen(next) && next.lines().includes('user: Ana was here'));
  });
});
