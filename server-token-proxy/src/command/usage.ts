import { VERSION } from '../version.ts';
import { ENVIRONMENT } from './read-environment.ts';

/** The text of `natter-token-proxy --help`. */
export function writeUsage(): string {
  const variables = ENVIRONMENT.map(
    ({ name, purpose, fallback, example }) =>
      `  ${name}\n      ${purpose}\n      Without it: ${fallback}. Example: ${example}`,
  );
  return `natter-token-proxy ${VERSION}
Keeps connector tokens out of browsers: starts and resumes chat sessions for the Natter widget.

Usage:
  natter-token-proxy          start, configured by the environment
  natter-token-proxy key      print a fresh ticket key for NATTER_TICKET_KEYS
  natter-token-proxy --help   print this text

Environment:
${variables.join('\n')}
`;
}
