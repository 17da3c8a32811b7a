import { Hono } from 'hono';
import { mount } from 'natter';
import '../../bridge.ts';
import { parseRecording, type Recording } from '../../../recording/recording.ts';
import { createReplayProxy, ReplaySessions } from '../../../recording/replay-proxy.ts';
import { createReplaySocket } from './replay-socket.ts';
import './replay.css';

const PROXY = '/replay';
const SOCKET = 'wss://replay.invalid/ws';

/** Answers the widget's calls and sockets from a recording, in the page itself, and puts the widget on it. */
function start(recording: Recording, speed: number): void {
  const sessions = new ReplaySessions(recording, { speed, untilMs: Number.POSITIVE_INFINITY });
  const app = new Hono().route(
    `${PROXY}/v1`,
    createReplayProxy(sessions, recording.offers, () => SOCKET),
  );
  window.fetch = async (input, init) => await app.fetch(new Request(input, init));
  Object.defineProperty(window, 'WebSocket', { value: createReplaySocket(sessions) });
  // Each replay starts over, and other tabs have separate replays.
  for (const name of ['indexedDB', 'BroadcastChannel'])
    Object.defineProperty(window, name, { value: undefined });
  showTitle(recording);
  const widget = mount({
    endpoint: location.origin + PROXY,
    allowInsecure: true,
    agentName: 'Ada',
    features: ['feedback', 'contact'],
  });
  Reflect.set(window, 'Natter', widget);
  dispatchEvent(new Event('bench-widget'));
}

function showTitle({ title, recordedAt, lines }: Recording): void {
  const write = (selector: string, text: string): void => {
    const element = document.querySelector(selector);
    if (element !== null) element.textContent = text;
  };
  const seconds = Math.round((lines.at(-1)?.atMs ?? 0) / 1_000);
  write('#title', title);
  write('#about', `Recorded ${recordedAt.slice(0, 10)}, ${seconds} seconds, ${lines.length} frames.`);
}

addEventListener('message', ({ source, data }) => {
  // Only the bench, which shows this page, has a recording for it.
  if (source === window.parent && data?.bench === 'recording')
    start(parseRecording(String(data.text)), Number(data.speed));
});
window.parent.postMessage({ bench: 'waiting' }, '*');
