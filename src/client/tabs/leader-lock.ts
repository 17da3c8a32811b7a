import type { TabsPort } from '../ports.ts';

export interface LeaderLockOptions {
  readonly port: TabsPort | null;
  readonly name: string;
  /** Also where there are no locks: each tab is its own leader then. */
  readonly onAcquired: () => void;
  /** Another tab has stolen it. */
  readonly onStolen: () => void;
}

/** The Web Lock of the leader. The browser releases it when the tab closes or crashes. */
export interface LeaderLock {
  /** Waits for the lock; `steal` takes it from a tab that does not answer. */
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
