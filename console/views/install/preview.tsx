import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { OUTSIDE, type PreviewSettings } from '../../preview/preview-settings.ts';
import { Button, Card, SelectField } from '../../ui/index.ts';
import { type Setup, toOptions } from './options.ts';
import { THEME_SHEETS } from './themes.ts';

// Long enough that typed text does not appear letter by letter.
const SETTLE_MS = 250;

const MODES = [
  ['script', 'A scripted agent'],
  ['proxy', 'Your token proxy'],
] as const;

/** The widget itself in a frame, as it is set up now. */
export function Preview({ setup }: { setup: Setup }): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  // Counts the pages of the frame that have loaded: each must be sent the settings.
  const [loads, setLoads] = useState(0);
  const [device, setDevice] = useState<'phone' | 'desktop'>('desktop');
  const [mode, setMode] = useState<'script' | 'proxy'>('script');
  const { endpoint = '' } = setup.attributes;
  const settings: PreviewSettings = {
    options: toOptions(setup),
    theme: THEME_SHEETS[setup.sheet] ?? '',
    properties: setup.properties,
    isScripted: mode === 'script' || endpoint === '',
  };
  const written = JSON.stringify(settings);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source === frame.current?.contentWindow && data === 'ready') setLoads((count) => count + 1);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);
  useEffect(() => {
    if (loads === 0) return;
    const timer = setTimeout(() => {
      frame.current?.contentWindow?.postMessage(JSON.parse(written), location.origin);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [loads, written]);
  const restart = (next: 'script' | 'proxy' = mode): void => {
    // Another mode is another page.
    if (next === mode) frame.current?.contentWindow?.location.reload();
    else setMode(next);
  };
  return (
    <Card
      title="Preview"
      actions={
        <Button icon="refresh" aria-label="Restart preview" onClick={() => restart()}>
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
          label="Answers from"
          value={mode}
          options={MODES}
          disabled={endpoint === ''}
          onChange={({ currentTarget }) => restart(currentTarget.value as typeof mode)}
        />
      </div>
      <div class="install-frame" data-device={device}>
        <iframe
          ref={frame}
          title="Widget preview on a page"
          src={settings.isScripted ? '/console/preview.html' : `/console/preview.html?${OUTSIDE}`}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        />
      </div>
      <p class="quiet">
        {settings.isScripted
          ? 'This is the real widget with scripted answers. Nothing leaves this page.'
          : `This is the real widget, connected to ${endpoint}. The proxy must allow ${location.origin}.`}
      </p>
    </Card>
  );
}
