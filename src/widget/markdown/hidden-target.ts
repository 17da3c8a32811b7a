/** A label that is an address as a whole: a scheme, a name before `@`, a host with a dot, a port, a path. */
const ADDRESS =
  /^\s*(?:[a-z][a-z\d+.-]*:[\\/]*)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,})(?::\d+)?(?:[/?#]\S*)?\s*$/iu;
/** An address with a scheme or `www.` anywhere in a label. */
const MARKED = /(?:https?:[\\/]*|\bwww\.)(?:[^\s/@]*@)?((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,})/iu;
const MAIL = /(?<![^\s@<>])[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+/;
const PHONE = /^[+\d][-\d\s()./]{5,}$/;

/** Longer labels are looked at up to here, so that a hostile one takes bounded time. */
const MAX_CHARACTERS = 1_000;

const bareHost = (host: string): string => {
  const url = `https://${host}`;
  return (URL.canParse(url) ? new URL(url).hostname : host).replace(/^www\./, '');
};

/** The address of a `mailto:` link as browsers escape it, for a comparison. */
const pathOf = (href: string): string => new URL(href).pathname.toLowerCase();

/** Returns a label without signs that are not seen, and with full stops and digits of other widths and scripts as plain ones. */
const readAsSeen = (text: string): string =>
  text
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKC')
    .slice(0, MAX_CHARACTERS)
    .replace(/\p{DI}/gu, '')
    .replaceAll('。', '.');

/**
 * Returns where a link leads when its label looks like another address: the host, the email address or the phone
 * number, to be shown beside the label. Returns null for a label that hides nothing.
 */
export function hiddenTarget(text: string, href: string): string | null {
  if (!URL.canParse(href)) return null;
  const label = readAsSeen(text);
  const { protocol, hostname, pathname } = new URL(href);
  const mail = MAIL.exec(label)?.[0];
  if (protocol === 'tel:')
    return PHONE.test(label.trim()) && label.replace(/\D/g, '') !== pathname.replace(/\D/g, '')
      ? pathname
      : null;
  if (protocol === 'mailto:') {
    const looksLikeAddress = mail !== undefined || ADDRESS.test(label) || MARKED.test(label);
    return looksLikeAddress && pathOf(`mailto:${mail}`) !== pathOf(href) ? pathname : null;
  }
  const shown = (ADDRESS.exec(label) ?? MARKED.exec(label))?.[1];
  return shown !== undefined && bareHost(shown) !== bareHost(hostname) ? hostname : null;
}
