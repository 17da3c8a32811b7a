import type { TabsPort } from '../ports.ts';

export interface LeaderLockOptions {
  readonly port: TabsPort | null;
  readonly name: string;
  /** Also called without locks: each tab is then its own leader. */
  readonly onAcquired: () => void;
  /** Called when another tab has stolen it. */
  readonly onStolen: () => void;
}

/** The Web Lock of the leader. The browser releases it when the tab closes or crashes. */
export interface LeaderLock {
  /** Waits for the lock; `steal` takes it from an unresponsive tab. */
  request(steal?: boolean): void;
  /** Releases it, or stops waiting. */
  release(): void;
}

export function createLeaderLock({ port, name, onAcquired, onStolen }: LeaderLockOptions): LeaderLock {
  let request = new AbortController();

  async function wait(steal: boolean): Promise<void> {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    let isHeld = false;
    const hold = (): Promise<void> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
        if (signal.aborted) resolve();
        else {
          isHeld = true;
          onAcquired();
        }
      });
    try {
      await port?.lock(name, steal ? { steal } : { signal }, hold);
    } catch {
      if (signal.aborted) return;
      if (isHeld) onStolen();
      else onAcquired();
    }
  }

  return {
    request: (steal = false) => void wait(steal),
    release: () => request.abort(),
  };
}
