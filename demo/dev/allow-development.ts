/** Additional sources that a page loads during development. */
export interface DevelopmentSources {
  /** Origin of the development server, which the modules and edits come from. */
  readonly origin: string;
  /** Of the style elements that the development server puts into pages. */
  readonly nonce: string;
}

/** A Content Security Policy with the exceptions for a development server, and no others. */
export function allowDevelopment(policy: string, { origin, nonce }: DevelopmentSources): string {
  const added: Readonly<Record<string, readonly string[]>> = {
    'script-src': [origin],
    'style-src': [`'nonce-${nonce}'`],
    'connect-src': [origin, origin.replace('http', 'ws')],
  };
  return policy
    .split('; ')
    .map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      const others = added[name];
      // 'none' stands alone.
      return others === undefined
        ? directive
        : [name, ...sources.filter((source) => source !== "'none'"), ...others].join(' ');
    })
    .join('; ');
}
