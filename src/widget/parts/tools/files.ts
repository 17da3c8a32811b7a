import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { FileLimits, UploadOutcome } from '../../../client/index.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';

/** Why a file is not sent: a failed upload, or an empty file, which is not uploaded. */
type Failure = Extract<UploadOutcome, { status: 'failed' }>['reason'] | 'empty';

/** Progress of a chosen file. */
export type FileProgress =
  | { readonly status: 'uploading'; readonly part: number }
  | { readonly status: 'uploaded'; readonly url: string }
  | { readonly status: 'failed'; readonly reason: Failure; readonly isRetryable: boolean };

/** A file that is sent with the next message. */
export interface ChosenFile {
  readonly id: number;
  readonly file: File;
  readonly name: string;
  readonly progress: Signal<FileProgress>;
  readonly abort: AbortController;
}

/** More files would not fit above the composer. */
const MAX_FILES = 10;

/** The files that a visitor has chosen in one panel. They outlive the composer, which is not always on the page. */
export interface Files {
  /** The limits of the token proxy; `null` if it accepts no files, and until it has responded. */
  readonly limits: ReadonlySignal<FileLimits | null>;
  readonly chosen: ReadonlySignal<readonly ChosenFile[]>;
  /** The visitor has sent the message, which waits for its files. */
  readonly isWaiting: Signal<boolean>;
  /** Uploads them at once. */
  add(files: Iterable<File>): void;
  retry(file: ChosenFile): void;
  remove(file: ChosenFile): void;
  /** Removes all files, because they are part of a message now, and returns their addresses. */
  removeAll(): readonly string[];
}

const byModel = new WeakMap<PanelModel, Files>();

/** Returns the files of a panel. */
export function filesOf(model: PanelModel): Files {
  const files = byModel.get(model) ?? createFiles(model);
  byModel.set(model, files);
  return files;
}

function createFiles(model: PanelModel): Files {
  const { chat, hasFiles } = model;
  const limits = followLimits(model, () => {
    for (const { abort } of chosen.peek()) abort.abort();
    show([]);
  });
  const chosen = signal<readonly ChosenFile[]>([]);
  const isWaiting = signal(false);
  let count = 0;

  const show = (next: readonly ChosenFile[]): void => {
    chosen.value = next;
    hasFiles.value = next.length > 0;
    if (next.length === 0) isWaiting.value = false;
  };
  const upload = async (file: ChosenFile): Promise<void> => {
    await uploadFile(chat, file);
    // The visitor decides what happens to the message.
    if (file.progress.peek().status === 'failed') isWaiting.value = false;
  };

  return {
    limits,
    chosen,
    isWaiting,
    add(files) {
      const known = limits.peek();
      if (!known) return;
      const added = [...files].map((file): ChosenFile => {
        const fault = findFault(file, known);
        count += 1;
        return {
          id: count,
          file,
          name: file.name || `file.${file.type.replace(/^.*\//, '')}`,
          progress: signal(fault ? toFailure(fault, false) : { status: 'uploading', part: 0 }),
          abort: new AbortController(),
        };
      });
      const kept = added.slice(0, Math.max(0, MAX_FILES - chosen.peek().length));
      show([...chosen.peek(), ...kept]);
      for (const each of kept) if (each.progress.peek().status === 'uploading') void upload(each);
    },
    retry: (file) => void upload(file),
    remove(file) {
      file.abort.abort();
      show(chosen.peek().filter((each) => each !== file));
    },
    removeAll() {
      const urls = chosen.peek().flatMap(({ progress }) => {
        const state = progress.peek();
        return state.status === 'uploaded' ? [state.url] : [];
      });
      show([]);
      return urls;
    },
  };
}

/** Uploads a file, and reports progress and result in its `progress`. */
async function uploadFile(
  chat: PanelModel['chat'],
  { file, name, progress, abort: { signal } }: ChosenFile,
): Promise<void> {
  progress.value = { status: 'uploading', part: 0 };
  const onProgress = (part: number): void => {
    if (progress.peek().status === 'uploading') progress.value = { status: 'uploading', part };
  };
  const outcome: UploadOutcome = await chat.services().then(
    (services) => services.uploadFile({ file, name, signal, onProgress }),
    () => ({ status: 'failed', reason: 'unavailable' }),
  );
  progress.value =
    outcome.status === 'uploaded' ? outcome : toFailure(outcome.reason, outcome.reason === 'unavailable');
}

const toFailure = (reason: Failure, isRetryable: boolean): FileProgress => ({
  status: 'failed',
  reason,
  isRetryable,
});

/** Browsers know few types by name; the proxy checks the others. */
function findFault({ size, type }: File, { maxBytes, types }: FileLimits): Failure | null {
  if (size > maxBytes) return 'too_large';
  if (type && !types.includes(type)) return 'wrong_type';
  return size === 0 ? 'empty' : null;
}

/** Requests the limits on each connection until there is a response. Calls `forget` when the visitor changes. */
function followLimits({ chat }: PanelModel, forget: () => void): ReadonlySignal<FileLimits | null> {
  const limits = signal<FileLimits | null>(null);
  effect(() => {
    if (chat.connection.value.status !== 'open' || limits.peek()) return;
    chat.services().then(
      async (services) => {
        const known = services.visitors.peek();
        services.visitors.subscribe((count) => {
          if (count !== known) forget();
        });
        limits.value = await services.readFileLimits();
      },
      // The next connection requests them again.
      () => undefined,
    );
  });
  return limits;
}
