import { pageDocument } from '../../widget/index.ts';

/**
 * Events in the widget that the page does not receive. It does receive `pointermove` and `mousemove`, because custom
 * cursors, drags and idle timers need them.
 */
const TYPES =
  'keydown keypress keyup beforeinput input compositionstart compositionupdate compositionend copy cut paste pointerdown pointerup pointercancel pointerover pointerout mousedown mouseup mouseover mouseout click dblclick auxclick contextmenu touchstart touchmove touchend touchcancel focus blur focusin focusout dragstart drag dragend dragenter dragover dragleave drop selectstart';

/**
 * Stops the events of `root` at the window, before the page's listeners for shortcuts, focus, clipboard and outside
 * clicks. The widget's own listeners get a copy.
 */
export function containEvents(root: ShadowRoot, signal: AbortSignal): void {
  let isPressedInPage = false;
  const contain = (event: Event): void => {
    const { type, bubbles } = event;
    const path = event.composedPath();
    const isOwn = path.includes(root);
    if (/^[mp].*down/.test(type)) isPressedInPage = !isOwn;
    // The page receives the release of a pointer that was pressed in the page.
    if (!isOwn || (isPressedInPage && /^[mp].*(up|cancel)/.test(type))) return;
    event.stopImmediatePropagation();
    // The widget has no listener for them, and browsers take no lists of touches for a copy.
    if (/^touch/.test(type)) return;
    // A dialog of the page that takes the focus back from other elements does nothing when no element has it.
    if (type === 'mousedown' && pageDocument.activeElement !== root.host)
      (pageDocument.activeElement as HTMLElement | null)?.blur();
    // Not an instance of the event's class: Firefox makes every keyboard event composed, and the copy would come here
    // again.
    const copy = new Event(type, { bubbles, cancelable: true });
    for (const name in event)
      if (!(name in copy)) Object.defineProperty(copy, name, { value: Reflect.get(event, name) });
    // The default action belongs to the original event.
    copy.preventDefault();
    copy.preventDefault = () => event.preventDefault();
    path[0]?.dispatchEvent(copy);
  };
  for (const type of TYPES.split(' ')) addEventListener(type, contain, { capture: true, signal });
  // A listener of the window would make the whole page scroll late.
  root.addEventListener('wheel', (event) => event.stopPropagation(), { passive: true, signal });
}
