import type { ChatClientOptions } from '../../client/index.ts';
import type { WidgetOptions } from '../../widget/index.ts';
import type { WidgetEmitter } from '../widget-events.ts';

/** The options of the widget's client. */
export function clientOptions(options: WidgetOptions, emitter: WidgetEmitter): ChatClientOptions {
  const { endpoint, connector, platform = '', keepDraft } = options;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const isNarrow = matchMedia('(max-width: 480px)').matches;
  return {
    endpoint,
    connector: connector || undefined,
    platform: platform === 'ios' || platform === 'android' ? `${platform}-web` : 'web',
    keepDraft,
    deviceType: isTouch ? (isNarrow ? 'mobile' : 'tablet') : 'desktop',
    // A plain scheme is deliberate; the client accepts it on loopback hosts only (H-3).
    allowInsecure: options.allowInsecure ?? endpoint.startsWith('http:'),
    onError: ({ code, message }) => emitter.emit('error', { code, message }),
    onFrame: (frame) => emitter.emit('frame', frame),
  };
}
