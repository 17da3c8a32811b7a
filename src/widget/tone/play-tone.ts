/** Two notes, a fifth apart, each fading at once: told from the machine's own sounds and over in half a second. */
const NOTES = [
  { hertz: 659.26, atSeconds: 0 },
  { hertz: 987.77, atSeconds: 0.11 },
] as const;
const NOTE_SECONDS = 0.35;
const LOUDNESS = 0.08;
/** Other tabs hear of the same message within this time. */
const QUIET_MS = 1_500;

/**
 * Plays a soft tone, unless another tab of the site has just done so. Browsers let a page be heard only once the
 * visitor has done something on it; before that nothing is played, and nothing later in its stead.
 */
export async function playTone(): Promise<void> {
  if (!navigator.userActivation?.hasBeenActive) return;
  // Without locks every tab sounds, which is better than none.
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
