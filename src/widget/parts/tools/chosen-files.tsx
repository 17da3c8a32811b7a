import { effect } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CLOSE, Icon } from '../../icons.tsx';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { type ChosenFile, type FileProgress, type Files, filesOf } from './files.ts';
import { Thumbnail } from './thumbnail.tsx';
import { RETRY } from './tool-icons.ts';
import { toolNoticeOf } from './tool-notice.ts';
import { TOOL_TEXTS, type ToolTexts } from './tool-texts.ts';

/** The files that are sent with the next message, above the field. */
export function ChosenFiles(): VNode {
  const model = usePanel();
  const files = filesOf(model);
  const texts = model.partTexts('tools', TOOL_TEXTS);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        const isReady = files.chosen.value.every(({ progress }) => progress.value.status === 'uploaded');
        // Sends the waiting message as if the visitor had sent it now.
        if (files.isWaiting.value && isReady)
          queueMicrotask(() => place.current?.closest('form')?.requestSubmit());
      }),
    [files],
  );
  const chosen = files.chosen.value;
  const isAnyChosen = chosen.length > 0;
  useLayoutEffect(() => {
    if (!isAnyChosen) return;
    // Files are not stored, so the browser asks for confirmation before the visitor leaves the page.
    addEventListener('beforeunload', askToStay);
    return () => removeEventListener('beforeunload', askToStay);
  }, [isAnyChosen]);
  return (
    <div class="chosen" ref={place}>
      {chosen.length > 0 && (
        <ul class="chosen-list" aria-label={texts.files}>
          {chosen.map((file) => (
            <Row key={file.id} file={file} files={files} texts={texts} />
          ))}
        </ul>
      )}
      <p class="chosen-state" role="status">
        {writeState(files, texts) || toolNoticeOf(model).value}
      </p>
    </div>
  );
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Returns a sentence about why the message has not been sent yet. */
function writeState({ chosen, isWaiting }: Files, texts: ToolTexts): string {
  if (isWaiting.value) return texts.waiting;
  const hasFailed = chosen.value.some(({ progress }) => progress.value.status === 'failed');
  return hasFailed ? texts.heldBack : '';
}

/** Formats a size in kilobytes or megabytes. */
function formatBytes(bytes: number, locale: string): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge && bytes < 10_000_000 ? 1 : 0,
  }).format(Math.max(isLarge ? bytes / 1_000_000 : Math.ceil(bytes / 1_000), 0));
}

interface RowProps {
  readonly file: ChosenFile;
  readonly files: Files;
  readonly texts: ToolTexts;
}

function Row({ file, files, texts }: RowProps): VNode {
  const { locale, focusComposer } = usePanel();
  const { name } = file;
  const progress = file.progress.value;
  return (
    <li class="chosen-file" data-status={progress.status}>
      <Thumbnail file={file.file} />
      <span class="chosen-text">
        <span class="chosen-name">
          <bdi>{name}</bdi>
        </span>
        <span class="chosen-note">
          <bdi>{writeNote(file, progress, texts, files, locale.value)}</bdi>
        </span>
      </span>
      {progress.status === 'failed' && progress.isRetryable && (
        <button
          type="button"
          class="icon-button"
          aria-label={fill(texts.retry, { name })}
          onClick={() => {
            files.retry(file);
            // The pressed button is removed, and with it the focus.
            focusComposer();
          }}
        >
          <Icon path={RETRY} size={18} />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={fill(texts.remove, { name })}
        onClick={() => {
          files.remove(file);
          focusComposer();
        }}
      >
        <Icon path={CLOSE} size={18} />
      </button>
      {progress.status === 'uploading' && (
        <progress aria-label={fill(texts.uploading, { name })} max={1} value={progress.part} />
      )}
    </li>
  );
}

function writeNote(
  { file }: ChosenFile,
  progress: FileProgress,
  texts: ToolTexts,
  { limits }: Files,
  locale: string,
): string {
  if (progress.status !== 'failed') return formatBytes(file.size, locale);
  switch (progress.reason) {
    case 'too_large':
      return fill(texts.tooLarge, { size: formatBytes(limits.value?.maxBytes ?? 0, locale) });
    case 'wrong_type':
      return texts.wrongType;
    case 'empty':
      return texts.empty;
    case 'refused':
      return texts.refused;
    case 'unavailable':
      return texts.notUploaded;
  }
}
