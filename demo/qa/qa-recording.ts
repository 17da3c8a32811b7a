import { Recorder, type TracedFrame } from '../recording/recorder.ts';
import { writeRecording } from '../recording/write-recording.ts';
import { find } from './find.ts';

let recorder = new Recorder();

/** Adds a frame to what can be saved. */
export const takeFrame = (frame: TracedFrame): void => recorder.take(frame);

/** Forgets the frames so far. */
export const clearRecording = (): void => {
  recorder = new Recorder();
};

const recordingStatus = find('#recording-status', HTMLParagraphElement);

const tellProblem = (error: unknown): void => {
  recordingStatus.textContent = error instanceof Error ? error.message : String(error);
};

find('#save', HTMLButtonElement).addEventListener('click', () => {
  try {
    const recording = recorder.finish(`Recorded on the QA page, ${new Date().toISOString().slice(0, 16)}`);
    const address = URL.createObjectURL(new Blob([writeRecording(recording)], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'recording.json';
    link.click();
    URL.revokeObjectURL(address);
    recordingStatus.textContent = `Saved: ${recording.lines.length} frames. Read it before you pass it on: what people wrote stays.`;
  } catch (error) {
    tellProblem(error);
  }
});

const replay = find('#replay', HTMLFormElement);
const recordings = find('#replay select[name="name"]', HTMLSelectElement);
fetch('/qa/recordings')
  .then((response) => response.json())
  .then((names: readonly string[]) => {
    for (const name of names) recordings.add(new Option(name, name));
  })
  .catch(tellProblem);

/** Starts a replay, and shows the page with a widget that talks to it. */
async function startReplay(fields: FormData): Promise<void> {
  const [name, file] = [String(fields.get('name')), fields.get('file')];
  if (name === '' && !(file instanceof File && file.size > 0)) {
    recordingStatus.textContent = 'Choose a recording, or a file.';
    return;
  }
  const query = new URLSearchParams({ speed: String(fields.get('speed')), ...(name !== '' && { name }) });
  const response = await fetch(`/qa/replay?${query}`, { method: 'POST', body: name === '' ? file : null });
  const answer: { readonly id?: string; readonly message?: string } = await response.json();
  if (answer.id === undefined) recordingStatus.textContent = answer.message ?? response.statusText;
  else location.href = `/qa?replay=${answer.id}`;
}

replay.addEventListener('submit', (event) => {
  event.preventDefault();
  startReplay(new FormData(replay)).catch(tellProblem);
});
if (new URLSearchParams(location.search).has('replay'))
  recordingStatus.textContent = 'The widget talks to a replay. Open /qa for the platform.';
