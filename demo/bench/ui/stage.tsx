import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { BenchModel } from './bench-model.ts';
import type { Device } from './devices.ts';

/** The page in a frame of the size of a device, made smaller where there is no room for it. */
export function Stage({
  model,
  src,
  title,
  sandbox,
  device,
}: {
  model: BenchModel;
  src: string;
  title: string;
  sandbox: string | undefined;
  device: Device;
}): VNode {
  const frameKey = `${src} ${model.loads.value}`;
  const stage = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => model.link.listen(), [model]);
  useEffect(() => {
    const room = stage.current;
    if (room === null) return;
    const fitFrame = (): void => fitInto(room, device);
    const observer = new ResizeObserver(fitFrame);
    observer.observe(room);
    fitFrame();
    return () => observer.disconnect();
  }, [device]);
  // Before the page exists, so that none of its messages is missed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has a separate frame
  useLayoutEffect(() => {
    model.link.attach(frame.current);
    return () => model.link.attach(null);
  }, [model, frameKey]);
  return (
    <div ref={stage} class="bench-stage" data-device={device.id}>
      <iframe
        ref={frame}
        key={frameKey}
        src={src}
        name="bench"
        title={title}
        data-scheme={model.settings.value.scheme}
        {...(sandbox !== undefined && { sandbox })}
      />
    </div>
  );
}

/** Sets the properties by which the style sheet sizes the frame. */
function fitInto(room: HTMLElement, { size, zoom }: Device): void {
  const [width, height] = size ?? [room.clientWidth, room.clientHeight];
  const scale = Math.min(zoom, room.clientWidth / width, room.clientHeight / height);
  for (const [name, value] of [
    ['--frame-width', `${width}px`],
    ['--frame-height', `${height}px`],
    ['--frame-scale', scale.toFixed(4)],
    ['--shown-width', `${Math.round(width * scale)}px`],
    ['--shown-height', `${Math.round(height * scale)}px`],
  ] as const)
    room.style.setProperty(name, value);
}
