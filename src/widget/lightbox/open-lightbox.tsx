import { effect } from '@preact/signals-core';
import { toImageUrl } from '../markdown/safe-href.ts';
import { pageDocument } from '../page-document.ts';
import type { PanelModel } from '../panel-model.ts';
import { renderInto } from '../render-into.tsx';
import type { ResolvedAttachment } from '../resolve-attachments.ts';
import css from './lightbox.css?inline';
import { LightboxView } from './lightbox-view.tsx';

/**
 * Shows a picture over everything on the page, in a modal dialog of the browser's own: it keeps the focus, hears
 * Escape, and leaves the page as it is. When it closes, the focus goes back to `opener`. `thumbnail` stands in for a full
 * picture that may not be fetched.
 */
export function openLightbox(
  resolved: ResolvedAttachment,
  thumbnail: string,
  opener: HTMLElement,
  model: PanelModel,
): void {
  const root = opener.getRootNode();
  const frame = opener.closest('.frame');
  if (!(root instanceof ShadowRoot) || !frame || frame.querySelector('.lightbox')) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
  const dialog = pageDocument.createElement('dialog');
  dialog.className = 'lightbox';
  dialog.dir = model.direction.peek();
  dialog.ariaLabel = resolved.attachment.title || model.strings.peek().openImage;
  frame.append(dialog);
  const src = toImageUrl(resolved.attachment.contentUrl, model.options.peek()) ?? thumbnail;
  const stop = renderInto(
    <LightboxView src={src} resolved={resolved} onClose={() => dialog.close()} />,
    dialog,
    model,
  );
  // The page may close the panel while the picture is there.
  const stopFollowing = effect(() => {
    if (!model.isOpen.value) dialog.close();
  });
  // Neither the panel nor the page takes the key for itself.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('close', () => {
    stopFollowing();
    stop();
    dialog.remove();
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
    if (!model.isOpen.peek()) return;
    if (opener.isConnected) opener.focus({ preventScroll: true });
    else model.focusComposer();
  });
  dialog.showModal();
}
