import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { readOpeningHours } from '../../../protocol/index.ts';
import { createZoneClock, type Opening, selectOpening } from './select-opening.ts';

/**
 * Timers are limited to 2^31 ms, and run late after the computer slept, so the state is computed again at least once an
 * hour.
 */
const LOOK_AGAIN_MS = 3_600_000;

/** Returns whether the team is available, now and as time passes. Throws for unreadable hours or an unknown time zone. */
export function useOpening(hours: string, timeZone: string | undefined): Opening {
  const look = useMemo(() => {
    // A script may pass a value of any type.
    const read = readOpeningHours(`${hours}`);
    const clock = createZoneClock(timeZone);
    return () => selectOpening(read, clock, Date.now());
  }, [hours, timeZone]);
  const opening = useSignal<Opening | null>(null);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const update = (): void => {
      const next = look();
      opening.value = next;
      timer = setTimeout(update, Math.min((next.changesAtMs ?? Infinity) - Date.now() + 1, LOOK_AGAIN_MS));
    };
    update();
    return () => clearTimeout(timer);
  }, [look, opening]);
  return opening.value ?? look();
}
