import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PreviewSettings } from '../../preview/preview-messages.ts';
import { Button, Card, SelectField } from '../../ui/index.ts';
import { type Setup, toOptions } from './options.ts';
import { THEME_SHEETS } from './themes.ts';

// Long enough that a word that is being written is not shown letter by letter.
const SETTLE_MS = 250;

const MODES = [
  ['script', 'A scripted agent'],
  ['proxy', 'Your token proxy'],
] as const;

/** The widget itself in a frame, as it is set up now. */
export function Preview({ setup }: { setup: Setup }): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [device, setDevice] = useState<'phone' | 'desktop'>('desktop');
  const [mode, setMode] = useState<'script' | 'proxy'>('script');
  const { endpoint = '' } = setup.attributes;
  const settings: PreviewSettings = {
    options: toOptions(setup),
    styles: [
      THEME_SHEETS[setup.sheet] ?? '',
      ...Object.entries(setup.properties).map(([name, value]) => `natter-chat { ${name}: ${value}; }`),
    ].join('\n'),
    isScripted: mode === 'script' || endpoint === '',
  };
  const written = JSON.stringify(settings);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source === frame.current?.contentWindow && data === 'ready') setReady(true);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => {
      frame.current?.contentWindow?.postMessage(JSON.parse(written), location.origin);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isReady, written]);
  const restart = (next: 'script' | 'proxy' = mode): void => {
    setMode(next);
    setReady(false);
    frame.current?.contentWindow?.location.reload();
  };
  return (
    <Card
      title="Preview"
      actions={
        <Button icon="refresh" aria-label="Begin the preview anew" onClick={() => restart()}>
          Start again
        </Button>
      }
    >
      <div class="toolbar install-preview-choices">
        <SelectField
          label="Window"
          value={device}
          options={[
            ['desktop', 'Desktop'],
            ['phone', 'Phone'],
          ]}
          onChange={({ currentTarget }) => setDevice(currentTarget.value as typeof device)}
        />
        <SelectField
          label="Answers come from"
          value={mode}
          options={MODES}
          disabled={endpoint === ''}
          onChange={({ currentTarget }) => restart(currentTarget.value as typeof mode)}
        />
      </div>
      <div class="install-frame" data-device={device}>
        <iframe
          ref={frame}
          title="Preview of the widget on a page"
          src="/console/preview.html"
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        />
      </div>
      <p class="quiet">
        {settings.isScripted
          ? 'The real widget; the answers are scripted, and nothing leaves this page.'
          : `The real widget, connected to ${endpoint}. That proxy has to allow ${location.origin}.`}
      </p>
    </Card>
  );
}
