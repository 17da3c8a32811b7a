import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { Button, SelectField } from '../../../console/ui/index.ts';
import { describeVisitor } from '../../recording/describe-visitor.ts';
import { parseRecording } from '../../recording/recording.ts';
import { writeRecording } from '../../recording/write-recording.ts';
import type { BenchModel } from './bench-model.ts';

const FILES = import.meta.glob<string>('../../../e2e/recordings/*.json', {
  query: '?raw',
  import: 'default',
});

/** The curated recordings: their names, and functions that load their text. */
const CURATED: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(FILES).map(([path, load]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), load]),
);

const SPEEDS = [
  ['1', 'As recorded'],
  ['5', '5× speed'],
  ['1000', 'Without pauses'],
] as const;

/** Saves the log as a recording, and replays one in the widget. */
export function RecordingsPanel({ model }: { model: BenchModel }): VNode {
  const status = useSignal('Saving removes tokens, ids and addresses.');
  const attempt = async (work: () => string | Promise<string>): Promise<void> => {
    try {
      status.value = await work();
    } catch (error) {
      status.value = error instanceof Error ? error.message : String(error);
    }
  };
  const replay = async (fields: FormData): Promise<string> => {
    const [name, file] = [String(fields.get('name')), fields.get('file')];
    const text = file instanceof File && file.size > 0 ? await file.text() : await CURATED[name]?.();
    if (text === undefined) return 'Choose a recording, or a file.';
    model.startReplay(parseRecording(text), Number(fields.get('speed')));
    return 'The widget is connected to a replay.';
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void attempt(() => replay(fields));
  };
  const { value: shown } = model.replay;
  return (
    <div class="bench-form">
      <div class="bench-buttons">
        <Button icon="down" onClick={() => void attempt(() => save(model))}>
          Save log
        </Button>
      </div>
      <form onSubmit={onSubmit}>
        <SelectField
          label="Replay"
          name="name"
          options={[['', 'Choose a file'], ...Object.keys(CURATED).map((name) => [name, name] as const)]}
        />
        <div class="field">
          <label for="bench-file">File</label>
          <input id="bench-file" type="file" name="file" accept="application/json" />
        </div>
        <SelectField label="Speed" name="speed" options={SPEEDS} />
        <Button type="submit">Replay in the widget</Button>
      </form>
      <p role="status" aria-label="Recording">
        {status.value}
      </p>
      {shown !== null && (
        <section class="bench-deeds" aria-label="Visitor steps">
          <h2>{shown.recording.title}</h2>
          <p class="quiet">
            The replay waits for each of these steps. You may write other texts than the recorded ones.
          </p>
          <ol>
            {describeVisitor(shown.recording).map((deed, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of one recording never changes
              <li key={index}>{deed}</li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function save(model: BenchModel): string {
  const recording = model.finishRecording(
    `Recorded in the test bench, ${new Date().toISOString().slice(0, 16)}`,
  );
  const address = URL.createObjectURL(new Blob([writeRecording(recording)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'recording.json';
  link.click();
  URL.revokeObjectURL(address);
  return `Saved: ${recording.lines.length} frames. Read it before you share it: message texts are included.`;
}
