/** Two short notes, a fifth apart, so that the sound differs from system sounds. */
const NOTES = [
  { hertz: 659.26, atSeconds: 0 },
  { hertz: 987.77, atSeconds: 0.11 },
] as const;
const NOTE_SECONDS = 0.35;
const LOUDNESS = 0.08;
/** Other tabs receive the same message within this time, and stay silent. */
const QUIET_MS = 1_500;

/**
 * Plays the notification sound, unless another tab of the site has just played it. Before the first interaction with the
 * page, browsers block sound; then nothing is played, also not later.
 */
export async function playTone(): Promise<void> {
  if (!navigator.userActivation?.hasBeenActive) return;
  // Without the Web Locks API every tab plays it, which is better than none.
  if (!navigator.locks) return play();
  await navigator.locks.request('natter-tone', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await play();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  });
}

async function play(): Promise<void> {
  const context = new AudioContext();
  const endings = NOTES.map(({ hertz, atSeconds }) => {
    const start = context.currentTime + atSeconds;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(LOUDNESS, start + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + NOTE_SECONDS);
    const oscillator = context.createOscillator();
    oscillator.frequency.value = hertz;
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + NOTE_SECONDS);
    return new Promise((resolve) => {
      oscillator.onended = resolve;
    });
  });
  await Promise.all(endings);
  await context.close();
}
