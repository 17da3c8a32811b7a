import type { FakeChat } from '../../test/widget/fake-chat.ts';
import { FAKE_SERVICES } from '../../test/widget/fake-chat.ts';
import { type GalleryState, greet, press } from './gallery-state.ts';

const TYPES = ['image/png', 'image/jpeg', 'application/pdf'];

/** Uploads as their names say: `slow` stays halfway, `lost` fails. */
const serveFiles = (chat: FakeChat): void => {
  chat.services = async () => ({
    ...FAKE_SERVICES,
    readFileLimits: async () => ({ maxBytes: 10_000_000, types: TYPES }),
    uploadFile: async ({ name, onProgress }) => {
      if (name.startsWith('lost')) return { status: 'failed', reason: 'unavailable' };
      if (!name.startsWith('slow')) return { status: 'uploaded', url: `${location.origin}/${name}` };
      onProgress(0.6);
      return new Promise(() => {});
    },
  });
};

/** A picture with a horizon. */
async function drawPicture(name: string): Promise<File> {
  const canvas = new OffscreenCanvas(160, 120);
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = '#9bc4d8';
    context.fillRect(0, 0, 160, 70);
    context.fillStyle = '#1f5563';
    context.fillRect(0, 70, 160, 50);
    context.fillStyle = '#fffdf5';
    context.fillRect(50, 56, 60, 18);
  }
  return new File([await canvas.convertToBlob()], name, { type: 'image/png' });
}

const pdf = (name: string, bytes: number): File =>
  new File([new Uint8Array(bytes)], name, { type: 'application/pdf' });

async function choose(root: ShadowRoot, files: readonly File[]): Promise<void> {
  const input = root.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) {
    requestAnimationFrame(() => void choose(root, files));
    return;
  }
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change'));
}

/** The composer's tools. */
export const TOOL_STATES: Readonly<Record<string, GalleryState>> = {
  files: {
    build(chat) {
      serveFiles(chat);
      greet(chat);
      chat.asks(
        'The bonnet of our car was scratched on deck 3. Here is a photo.\n\nhttps://example.com/f/claim%20form.pdf',
      );
    },
    after(_, root) {
      void drawPicture('deck 3.png').then((picture) =>
        choose(root, [
          picture,
          pdf('slow ticket.pdf', 2_400_000),
          pdf('lost insurance policy 2026.pdf', 820_000),
        ]),
      );
    },
    sign: '.chosen-file[data-status=failed]',
    options: { features: 'files' },
  },
  dictation: {
    build(chat) {
      // No browser of a test has a microphone.
      const Silent = class {
        start(): void {}
        abort(): void {}
      };
      Object.assign(window, { SpeechRecognition: Silent });
      serveFiles(chat);
      greet(chat);
    },
    after(chat, root) {
      chat.setUnsent('Can I bring my dog on the');
      press(root, '.tool[aria-pressed]');
    },
    leave: () => void Reflect.deleteProperty(window, 'SpeechRecognition'),
    sign: '.tool[aria-pressed=true]',
    options: { features: 'files dictation emoji' },
  },
  emoji: {
    build(chat) {
      // The shortcut keys are the system's, but pictures are drawn on any system.
      Object.defineProperty(navigator, 'userAgentData', {
        value: { platform: 'Windows' },
        configurable: true,
      });
      greet(chat);
    },
    after: (_, root) => press(root, '.tool'),
    leave: () => void Reflect.deleteProperty(navigator, 'userAgentData'),
    sign: '.chosen-state:not(:empty)',
    options: { features: 'emoji' },
  },
  files_ready: {
    build(chat) {
      serveFiles(chat);
      greet(chat);
      chat.asks(`Here it is.\n\n${location.origin}/f/deck%203.png\n${location.origin}/f/ticket.pdf`);
    },
    sign: '.tool',
    options: { features: 'files' },
  },
};
