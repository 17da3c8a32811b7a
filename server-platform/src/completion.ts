import {
  COMMAND_LINE_OPTIONS,
  COMMAND_OPTIONS,
  COMMON_OPTIONS,
  PROGRAM_COMMANDS,
} from './command-line-options.ts';
import { COMMANDS } from './commands.ts';

/** The shells that completion is written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What can be typed after some words of a command. */
type Step = { readonly after: string; readonly words: readonly string[] };

// The values of these are paths.
const PATHS: readonly string[] = ['--config', '--data'];

/** Every command with its usage. */
const USAGES: Readonly<Record<string, string>> = {
  ...PROGRAM_COMMANDS,
  ...Object.fromEntries(Object.entries(COMMANDS).map(([command, { usage }]) => [command, usage])),
};

/** First words, and the second words of those that have one. */
const STEPS: readonly Step[] = (() => {
  const nouns = new Map<string, string[]>();
  for (const command of Object.keys(USAGES)) {
    const [noun = '', verb] = command.split(' ');
    nouns.set(noun, [...(nouns.get(noun) ?? []), ...(verb === undefined ? [] : [verb])]);
  }
  const seconds = [...nouns].map(([after, words]) => ({
    after,
    words: after === 'completion' ? SHELLS : words,
  }));
  return [{ after: '', words: [...nouns.keys()] }, ...seconds.filter(({ words }) => words.length > 0)];
})();

const OPTIONS: readonly Step[] = Object.entries(USAGES)
  .filter(([command]) => command !== 'completion')
  .map(([after, usage]) => {
    const own = [...usage.matchAll(/--([\w-]+)/g)].flatMap(([, name]) => name ?? []);
    const common = after === 'serve' ? COMMON_OPTIONS : COMMAND_OPTIONS;
    return { after, words: [...new Set([...own, ...common])].map((name) => `--${name}`) };
  });

/** Options that the next word is the value of, but no path. */
const VALUES: readonly string[] = Object.entries(COMMAND_LINE_OPTIONS)
  .filter(([, { type }]) => type === 'string')
  .map(([name]) => `--${name}`)
  .filter((name) => !PATHS.includes(name));

/** Writes the script that makes a shell complete the words of `natter-platform`, from the table of commands. */
export function writeCompletion(shell: (typeof SHELLS)[number]): string {
  return shell === 'fish' ? writeFish() : shell === 'zsh' ? writeZsh() : writeBash();
}

/** Branches of a `case` of bash and zsh, each of which sets `words`. */
function branches(steps: readonly Step[]): string {
  return steps.map(({ after, words }) => `    '${after}') words='${words.join(' ')}' ;;`).join('\n');
}

/** What bash and zsh share: sets `words` from the words typed before, `$1` and `$2`. */
const CHOOSE = `_natter_platform_words() {
  words=''
  case "$1" in
${branches(STEPS.filter(({ words }) => words.length > 0))}
  esac
}
_natter_platform_options() {
  words=''
  case "$1 $2" in
${branches(OPTIONS.filter(({ after }) => after.includes(' ')))}
    *) case "$1" in
${branches(OPTIONS.filter(({ after }) => !after.includes(' ')))}
    esac ;;
  esac
}`;

function writeBash(): string {
  return `# bash completion of natter-platform
${CHOOSE}
_natter_platform() {
  local words word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  case "$before" in
    ${PATHS.join(' | ')}) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    ${VALUES.join(' | ')}) return ;;
  esac
  if [[ $word == -* ]]; then _natter_platform_options "\${COMP_WORDS[1]}" "\${COMP_WORDS[2]}"
  elif ((COMP_CWORD == 1)); then _natter_platform_words ''
  elif ((COMP_CWORD == 2)); then _natter_platform_words "\${COMP_WORDS[1]}"
  else _natter_platform_options "\${COMP_WORDS[1]}" "\${COMP_WORDS[2]}"
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _natter_platform natter-platform`;
}

function writeZsh(): string {
  return `#compdef natter-platform
# zsh completion of natter-platform
${CHOOSE.replaceAll('words=', 'found=')}
_natter_platform() {
  local found
  case "\${words[CURRENT - 1]}" in
    ${PATHS.join(' | ')}) _files; return ;;
    ${VALUES.join(' | ')}) return ;;
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _natter_platform_options "\${words[2]}" "\${words[3]}"
  elif ((CURRENT == 2)); then _natter_platform_words ''
  elif ((CURRENT == 3)); then _natter_platform_words "\${words[2]}"
  else _natter_platform_options "\${words[2]}" "\${words[3]}"
  fi
  compadd -- \${=found}
}
compdef _natter_platform natter-platform`;
}

function writeFish(): string {
  const lines = STEPS.map(({ after, words }) => {
    const typed = after === '' ? 1 : 2;
    const isThere = `test (count (commandline -opc)) -eq ${typed}`;
    const isAfter = after === '' ? '' : `; and __fish_seen_subcommand_from ${after}`;
    return `complete -c natter-platform -f -n '${isThere}${isAfter}' -a '${words.join(' ')}'`;
  });
  const options = OPTIONS.flatMap(({ after, words }) =>
    words.map((word) => {
      const name = word.slice(2) as keyof typeof COMMAND_LINE_OPTIONS;
      const { help, type } = COMMAND_LINE_OPTIONS[name];
      const value = type === 'boolean' ? '' : PATHS.includes(word) ? ' -r -F' : ' -x';
      const isAfter = after
        .split(' ')
        .map((typed) => `__fish_seen_subcommand_from ${typed}`)
        .join('; and ');
      return `complete -c natter-platform -n '${isAfter}' -l ${name}${value} -d '${help.replaceAll("'", "\\'")}'`;
    }),
  );
  return [
    '# fish completion of natter-platform',
    'complete -c natter-platform -f',
    ...lines,
    ...options,
  ].join('\n');
}
