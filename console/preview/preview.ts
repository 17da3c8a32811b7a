import { mount, type NatterWidget, OPTION_NAMES, type WidgetOptions } from 'natter';
import './preview.css';
import type { PreviewSettings } from './preview-settings.ts';
import { SCRIPTED_ENDPOINT, startScriptedPlatform } from './scripted-platform.ts';
import { SetupSheet } from './setup-sheet.ts';

/** The page in the frame of the view Install: the real widget, configured by messages of the console's page. */
startScriptedPlatform();
const styles = new SetupSheet();
document.adoptedStyleSheets = [styles.sheet];
let widget: NatterWidget | null = null;

addEventListener('message', ({ source, origin, data }: MessageEvent<PreviewSettings>) => {
  if (source === parent && origin === location.origin) void show(data);
});
parent.postMessage('ready', location.origin);

async function show({ options, theme, properties, isScripted }: PreviewSettings): Promise<void> {
  styles.replace(theme, properties);
  const next = { ...options, ...(isScripted && { endpoint: SCRIPTED_ENDPOINT, connector: undefined }) };
  if (widget === null) {
    // The console's page has read them from attributes, by their names and types.
    widget = mount(next as unknown as WidgetOptions);
    await widget.open();
    return;
  }
  const missing = Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined]));
  await widget.update({ ...missing, ...next });
}
