import type { PanelModel } from '../../panel/model/panel-model.ts';
import { filesOf } from './files.ts';

/**
 * Returns the text of the message that the visitor sends: the typed text and, on separate lines, the addresses of its
 * files. Empty while a file is not uploaded; the message goes out when the last one is.
 */
export function composeMessage(model: PanelModel, typed: string): string {
  const { chosen, isWaiting, removeAll } = filesOf(model);
  const states = chosen.peek().map(({ progress }) => progress.peek().status);
  if (states.includes('failed')) return '';
  isWaiting.value = states.includes('uploading');
  return isWaiting.peek() ? '' : [typed.trim(), removeAll().join('\n')].filter(Boolean).join('\n\n');
}
