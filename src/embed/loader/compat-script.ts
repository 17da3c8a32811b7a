import { readOwnGlobal } from '../../widget/index.ts';
import { provideWebchatApi } from '../compat.ts';

// Before `natter.js` or after it: the page's list of calls takes it either way.
const natter = readOwnGlobal('Natter') ?? [];
if (Array.isArray(natter)) Reflect.set(window, 'Natter', natter);
natter.push((widget) => {
  const release = provideWebchatApi(widget);
  const { destroy } = widget;
  // The name is removed with the widget.
  widget.destroy = () => {
    release();
    return destroy();
  };
});
