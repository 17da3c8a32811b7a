import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../icons.tsx';
import { PAPER } from './tool-icons.ts';

/** Twice the size on the page, for screens with a high pixel density. */
const PIXELS = 80;

/**
 * The chosen picture as a thumbnail; an icon for another file. Drawn on a canvas, because the policies of many pages
 * allow no `blob:` pictures.
 */
export function Thumbnail({ file }: { readonly file: File }): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPicture = file.type.startsWith('image/');
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    createImageBitmap(file).then(
      (bitmap) => {
        const { width, height } = bitmap;
        const side = Math.min(width, height);
        const at = [(width - side) / 2, (height - side) / 2] as const;
        context.drawImage(bitmap, ...at, side, side, 0, 0, PIXELS, PIXELS);
        bitmap.close();
      },
      // The file is not a picture: the empty square stays.
      () => undefined,
    );
  }, [file]);
  return isPicture ? (
    <canvas class="thumbnail" ref={canvas} width={PIXELS} height={PIXELS} />
  ) : (
    <span class="thumbnail">
      <Icon path={PAPER} />
    </span>
  );
}
