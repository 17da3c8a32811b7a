import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadOutcome, UploadRequest } from '../../../client/index.ts';
import '../../../../test/widget/all-parts.ts';
import { createFakeChat, FAKE_SERVICES, type FakeChat } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import { splitFiles } from './split-files.ts';

let view: MountedPanel;
let chat: FakeChat;
/** Uploads that the test completes. */
let uploads: { readonly request: UploadRequest; readonly finish: (outcome: UploadOutcome) => void }[];
const visitors = signal(0);
const LOST: UploadOutcome = { status: 'failed', reason: 'unavailable' };
const storedAs = (name: string): UploadOutcome => ({
  status: 'uploaded',
  url: `https://f.example/1/${name}`,
});

beforeEach(async () => {
  uploads = [];
  chat = createFakeChat();
  chat.services = async () => ({
    ...FAKE_SERVICES,
    visitors,
    uploadFile: (request) =>
      new Promise((finish) => {
        uploads.push({ request, finish });
      }),
  });
  view = mountPanel({ features: 'files' }, chat);
  view.panel.open(true);
  await vi.waitFor(() => view.button('Add files'));
});
afterEach(() => view.destroy());

const png = (name: string, bytes = 9): File => new File([new Uint8Array(bytes)], name, { type: 'image/png' });
const transferOf = (...files: readonly File[]): DataTransfer => {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer;
};
const choose = (...files: readonly File[]): void => {
  const input = view.find<HTMLInputElement>('input[type=file]');
  input.files = transferOf(...files).files;
  input.dispatchEvent(new Event('change'));
};
const started = (count: number) => vi.waitFor(() => expect(uploads).toHaveLength(count));
const statesOf = () => view.all('.chosen-file').map(({ dataset }) => dataset['status']);
const submit = () => view.find<HTMLFormElement>('.composer').requestSubmit();
const sent = () => chat.commands.filter((command) => command.startsWith('send'));
const state = () => view.find('.chosen-state').textContent;

describe('files of a message', () => {
  it('sends a message with the addresses of its files below, once these are uploaded', async () => {
    chat.setUnsent('Look');
    choose(png('a.png'), png('b.png'));
    await started(2);
    submit();
    await vi.waitFor(() => expect(state()).toBe('Your message will be sent once its files are uploaded.'));
    uploads[0]?.finish(storedAs('a.png'));
    await vi.waitFor(() => expect(statesOf()).toEqual(['uploaded', 'uploading']));
    expect(sent()).toEqual([]);
    uploads[1]?.finish(storedAs('b.png'));
    await vi.waitFor(() =>
      expect(sent()).toEqual(['send Look\n\nhttps://f.example/1/a.png\nhttps://f.example/1/b.png']),
    );
    await vi.waitFor(() => expect([statesOf(), chat.unsent.value]).toEqual([[], '']));
  });

  it('shows the progress of an upload, and stops it when the file is removed', async () => {
    choose(png('a.png'));
    await started(1);
    uploads[0]?.request.onProgress(0.4);
    await vi.waitFor(() => expect(view.find<HTMLProgressElement>('progress').value).toBeCloseTo(0.4));
    view.button('Remove a.png').click();
    await vi.waitFor(() => expect(statesOf()).toEqual([]));
    expect(uploads[0]?.request.signal.aborted).toBe(true);
  });

  it('keeps text and file when an upload fails, until they are sent', async () => {
    chat.setUnsent('Look');
    choose(png('a.png'));
    await started(1);
    submit();
    uploads[0]?.finish(LOST);
    await vi.waitFor(() => expect(state()).toBe('Not sent yet. Upload the file again or remove it.'));
    submit();
    expect([sent(), chat.unsent.value]).toEqual([[], 'Look']);
    view.button('Upload a.png again').click();
    await started(2);
    uploads[1]?.finish(storedAs('a.png'));
    await vi.waitFor(() => expect(statesOf()).toEqual(['uploaded']));
    // The failure cancelled sending; the visitor sends the message again.
    expect(sent()).toEqual([]);
    submit();
    await vi.waitFor(() => expect(sent()).toEqual(['send Look\n\nhttps://f.example/1/a.png']));
  });

  it('names files that are not accepted, and uploads none of them', async () => {
    choose(
      png('big.png', 5_000_001),
      new File(['<p>'], 'page.html', { type: 'text/html' }),
      png('empty.png', 0),
    );
    await vi.waitFor(() =>
      expect(view.all('.chosen-note').map(({ textContent }) => textContent)).toEqual([
        'Too large: 5 MB at most',
        'This type of file isn’t accepted',
        'This file is empty',
      ]),
    );
    expect(uploads).toHaveLength(0);
  });

  it('shows the number of a size before its Latin unit, also right-to-left', async () => {
    view.destroy();
    view = mountPanel({ features: 'files', language: 'he' }, chat);
    view.panel.open(true);
    await vi.waitFor(() => view.find('input[type=file]'));
    choose(png('a.png', 2_400_000));
    const note = await vi.waitFor(() => view.find('.chosen-note'));
    expect(note.textContent).toBe('2.4 MB');
    const text = document.createTreeWalker(note, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const leftOf = (from: number, to: number): number => {
      const range = document.createRange();
      range.setStart(text, from);
      range.setEnd(text, to);
      return range.getBoundingClientRect().left;
    };
    expect(leftOf(0, 3)).toBeLessThan(leftOf(4, 6));
  });

  it('adds pasted and dropped files, and leaves pasted text alone', async () => {
    const panel = view.find('.panel');
    const paste = (clipboardData: DataTransfer): void => {
      panel.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
    };
    const textWithPicture = transferOf(png('office.png'));
    textWithPicture.setData('text/plain', 'cells');
    paste(textWithPicture);
    paste(transferOf(png('pasted.png')));
    const drag = (type: string, dataTransfer: DataTransfer): boolean =>
      panel.dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }));
    const dropped = transferOf(png('dropped.png'));
    drag('dragenter', dropped);
    await vi.waitFor(() => expect(view.find('.drop-place').textContent).toBe('Drop files here'));
    expect(drag('dragover', dropped)).toBe(false);
    drag('drop', dropped);
    await started(2);
    expect(uploads.map(({ request }) => request.name)).toEqual(['pasted.png', 'dropped.png']);
    expect(view.all('.drop-place')).toEqual([]);
  });

  it('has the browser ask before the page is left while files are chosen, until they are sent or removed', async () => {
    const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isAsked()).toBe(false);
    choose(png('a.png'));
    await started(1);
    await vi.waitFor(() => expect(isAsked()).toBe(true));
    uploads[0]?.finish(storedAs('a.png'));
    await vi.waitFor(() => expect(statesOf()).toEqual(['uploaded']));
    submit();
    await vi.waitFor(() => expect(isAsked()).toBe(false));
    choose(png('b.png'));
    await vi.waitFor(() => expect(isAsked()).toBe(true));
    view.destroy();
    expect(isAsked()).toBe(false);
  });

  it('removes chosen files when another visitor signs in', async () => {
    choose(png('a.png'));
    await started(1);
    visitors.value += 1;
    await vi.waitFor(() => expect(statesOf()).toEqual([]));
    expect(uploads[0]?.request.signal.aborted).toBe(true);
  });

  it('shows files below the text of a sent message, pictures of other hosts as links', async () => {
    chat.asks(
      'Look\n\nhttps://chat.example/f/a.png\nhttps://foreign.example/b.png\nhttps://chat.example/f/t%20.pdf',
    );
    await vi.waitFor(() => expect(view.find('.visitor .bubble').textContent).toBe('Look'));
    await vi.waitFor(() =>
      expect(view.all('.picture a').map((link) => link.getAttribute('href'))).toEqual([
        'https://chat.example/f/a.png',
      ]),
    );
    expect(view.all('.file-link').map(({ textContent }) => textContent)).toEqual(['b.png', 't .pdf']);
  });
});

it('has no button for files if the site or its token proxy accepts none', async () => {
  view.destroy();
  chat.services = async () => ({ ...FAKE_SERVICES, readFileLimits: async () => null });
  view = mountPanel({ features: 'files' }, chat);
  view.panel.open(true);
  await vi.waitFor(() => view.find('.chosen'));
  expect(view.all('.tool')).toEqual([]);
  view.destroy();
  view = mountPanel({}, createFakeChat());
  view.panel.open(true);
  expect(view.all('.chosen, .tool')).toEqual([]);
});

it.each([
  ['https://x.example/a.png', '', 1],
  ['text\nhttps://x.example/a.png', 'text', 1],
  ['see https://x.example/a.png', 'see https://x.example/a.png', 0],
  ['https://x.example/a.png\nlast words', 'https://x.example/a.png\nlast words', 0],
  ['https://x.example/page', 'https://x.example/page', 0],
  ['javascript:1/a.png', 'javascript:1/a.png', 0],
  ['https://x.example/%E0%A4%A.png', '', 1],
])('reads %j as text and files', (message, text, count) => {
  const split = splitFiles(message);
  expect([split.text, split.files.length]).toEqual([text, count]);
});
