import type { VNode } from 'preact';
import { Icon } from '../../icons.tsx';
import { resolveAttachments } from '../../links/resolve-attachments.ts';
import { NEW_TAB } from '../../links/safe-href.ts';
import { useLazyPart, usePanel } from '../../panel/model/panel-model.ts';
import type { SentFile } from './split-files.ts';
import { PAPER } from './tool-icons.ts';

/** The files of a visitor's message: pictures if the image policy allows them, the others as links with their names. */
export function SentFiles({ files }: { readonly files: readonly SentFile[] }): VNode {
  const { options, parts } = usePanel();
  const cards = useLazyPart(parts.cards);
  const pictures = resolveAttachments(
    files
      .filter(({ isPicture }) => isPicture)
      .map(({ url, name }) => ({
        kind: 'image',
        contentUrl: url,
        title: name,
        previewImageUrl: null,
        callToActionText: null,
      })),
    options.value,
  ).filter(({ picture }) => picture !== null);
  const isShown = (file: SentFile): boolean =>
    cards !== null && pictures.some(({ attachment }) => attachment.contentUrl === file.url);
  const links = files.filter((file) => !isShown(file));
  return (
    <div class="sent-files">
      {cards && pictures.length > 0 && <cards.CardList shown={pictures} />}
      {links.map((file) => (
        <FileLink key={file.url} file={file} />
      ))}
    </div>
  );
}

function FileLink({ file: { url, name } }: { readonly file: SentFile }): VNode {
  const { strings } = usePanel();
  return (
    <a class="file-link" href={url} {...NEW_TAB} aria-label={`${name} (${strings.value.opensNewTab})`}>
      <Icon path={PAPER} />
      <bdi>{name}</bdi>
    </a>
  );
}
