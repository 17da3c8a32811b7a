import { pageDocument } from '../../widget/index.ts';

/**
 * Events that end at the widget they begin in. `pointermove` and `mousemove` are not among them: they press nothing, and
 * custom cursors, drags and timers of absence need them.
 */
const TYPES =
  'keydown keypress keyup beforeinput input compositionstart compositionupdate compositionend copy cut paste pointerdown pointerup pointercancel pointerover pointerout mousedown mouseup mouseover mouseout click dblclick auxclick contextmenu touchstart touchmove touchend touchcancel focus blur focusin focusout dragstart drag dragend dragenter dragover dragleave drop selectstart';

/**
 * Ends the events of `root` at the window, before the page's listeners for shortcuts, focus, clipboard and clicks elsewhere. The
 * widget's own listeners get a copy.
 */
export function containEvents(root: ShadowRoot, signal: AbortSignal): void {
  let isPressedInPage = false;
  const contain = (event: Event): void => {
    const { type, bubbles } = event;
    const path = event.composedPath();
    const isOwn = path.includes(root);
    if (/^[mp].*down/.test(type)) isPressedInPage = !isOwn;
    // The page has to see where a pointer is released that was pressed there.
    if (!isOwn || (isPressedInPage && /^[mp].*(up|cancel)/.test(type))) return;
    event.stopImmediatePropagation();
    // The widget has no listener for them, and browsers take no lists of touches for a copy.
    if (/^touch/.test(type)) return;
    // A dialog that takes back the focus from another element leaves it alone when no element has it.
    if (type === 'mousedown' && pageDocument.activeElement !== root.host)
      (pageDocument.activeElement as HTMLElement | null)?.blur();
    // Not of the event's own class: Firefox makes every keyboard event composed, and the copy would come here again.
    const copy = new Event(type, { bubbles, cancelable: true });
    for (const name in event)
      if (!(name in copy)) Object.defineProperty(copy, name, { value: Reflect.get(event, name) });
    // The event itself has the browser's default action.
    copy.preventDefault();
    copy.preventDefault = () => event.preventDefault();
    path[0]?.dispatchEvent(copy);
  };
  for (const type of TYPES.split(' ')) addEventListener(type, contain, { capture: true, signal });
  // A listener of the window would make the whole page scroll late.
  root.addEventListener('wheel', (event) => event.stopPropagation(), { passive: true, signal });
}
