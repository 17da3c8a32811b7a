import { provideWebchatApi } from './compat.ts';
import type { ScriptWidget } from './loader.ts';

// Before `natter.js` or after it: the page's list of calls takes it either way.
const natter: ScriptWidget | ((widget: ScriptWidget) => void)[] = window.Natter ?? [];
if (Array.isArray(natter)) Reflect.set(window, 'Natter', natter);
natter.push((widget) => void provideWebchatApi(widget));
