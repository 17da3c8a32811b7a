import { effect } from '@preact/signals-core';
import { adoptCss } from '../../dom/adopt-css.ts';
import { pageDocument } from '../../dom/page-document.ts';
import { renderInto } from '../../dom/render-into.tsx';
import type { ResolvedAttachment } from '../../links/resolve-attachments.ts';
import { toImageUrl } from '../../links/safe-href.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';
import css from './lightbox.css?inline';
import { LightboxView } from './lightbox-view.tsx';

/**
 * Shows a picture in a modal `<dialog>` above the page. The browser keeps the focus inside it and closes it on Escape.
 * Afterwards the focus returns to `opener`. `thumbnail` is shown if the image policy does not allow the full picture.
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
  const dropSheet = adoptCss(root, css);
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
  // The page may close the panel while the dialog is open.
  const stopFollowing = effect(() => {
    if (!model.isOpen.value) dialog.close();
  });
  // The panel and the page must not handle keys of the dialog, such as Escape.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('close', () => {
    stopFollowing();
    stop();
    dialog.remove();
    dropSheet();
    if (!model.isOpen.peek()) return;
    if (opener.isConnected) opener.focus({ preventScroll: true });
    else model.focusComposer();
  });
  dialog.showModal();
}
