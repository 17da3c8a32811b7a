import { readOwnGlobal } from '../../widget/index.ts';
import { provideWebchatApi } from '../compat.ts';

// This script may run before or after `natter.js`: `push` exists in both cases.
const natter = readOwnGlobal('Natter') ?? [];
if (Array.isArray(natter)) Reflect.set(window, 'Natter', natter);
natter.push((widget) => {
  const release = provideWebchatApi(widget);
  const { destroy } = widget;
  // The global is removed with the widget.
  widget.destroy = () => {
    release();
    return destroy();
  };
});
