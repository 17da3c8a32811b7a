import type { WidgetOptions } from '../widget/index.ts';
import type { NatterWidget } from './create-widget.ts';
import { EVENT_NAMES } from './event-names.ts';
import { findChanges } from './find-changes.ts';
import { mount } from './mount.ts';
import { OPTION_NAMES } from './option-names.ts';
import type { WidgetEventName } from './widget-events.ts';

/**
 * A widget whose options are the properties of a framework's component. It never throws; failures are reported as
 * errors of the page.
 */
export interface ComponentWidget {
  /** `null` if it could not be created. */
  readonly widget: NatterWidget | null;
  /** Applies other options, as written by `writeOptions`. */
  follow(written: string): void;
  destroy(): void;
}

/**
 * Writes the options among a component's properties as one text. Equal options give equal texts. Leaves out values that
 * are not plain data, with a warning.
 */
export function writeOptions(properties: Readonly<Record<string, unknown>>): string {
  const refused: string[] = [];
  const written = OPTION_NAMES.flatMap((name) => {
    try {
      const value = JSON.stringify(properties[name]);
      return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
    } catch {
      refused.push(name);
      return [];
    }
  });
  if (refused.length > 0) console.warn(`natter: ignored options that are not plain data: ${refused.join()}`);
  return `{${written.join()}}`;
}

/** Simulated browsers have no `reportError`. */
function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else console.error(error);
}

const readOptions = (written: string): WidgetOptions => JSON.parse(written);

/**
 * Mounts a widget for a component. `onEvent` is called for each of its events. An inline widget fills the element that
 * `findContainer` returns.
 */
export function createComponentWidget(
  written: string,
  findContainer: () => Element | null,
  onEvent: (name: WidgetEventName, value: unknown) => void,
): ComponentWidget {
  let shown = readOptions(written);
  let widget: NatterWidget | null = null;
  try {
    widget = mount(shown, findContainer);
    for (const name of EVENT_NAMES) widget.on(name, (value: unknown) => onEvent(name, value));
  } catch (error) {
    report(error);
  }
  return {
    widget,
    follow(next) {
      const options = readOptions(next);
      const changes = findChanges(shown, options);
      shown = options;
      if (Object.keys(changes).length > 0) widget?.update(changes).catch(report);
    },
    destroy: () => void widget?.destroy().catch(report),
  };
}
