/** Texts of the composer's tools in one language. `{name}` is a file. */
export interface ToolTexts {
  readonly files: string;
  readonly attach: string;
  readonly drop: string;
  readonly uploading: string;
  readonly remove: string;
  readonly retry: string;
  /** The message has been sent and waits for its files. */
  readonly waiting: string;
  /** A file failed, and the message was not sent. */
  readonly heldBack: string;
  readonly tooLarge: string;
  readonly wrongType: string;
  readonly refused: string;
  readonly notUploaded: string;
}

const ENGLISH: ToolTexts = {
  files: 'Files of this message',
  attach: 'Add files',
  drop: 'Drop files here',
  uploading: 'Uploading {name}',
  remove: 'Remove {name}',
  retry: 'Upload {name} again',
  waiting: 'Your message goes out when its files are uploaded.',
  heldBack: 'Not sent yet: upload the file again or remove it.',
  tooLarge: 'Too large: at most {size}',
  wrongType: 'This kind of file is not accepted',
  refused: 'This file was refused',
  notUploaded: 'Not uploaded',
};

/** All languages in one file, because they are small. */
const TEXTS: Readonly<Record<string, ToolTexts>> = {
  en: ENGLISH,
  ar: {
    files: 'ملفات هذه الرسالة',
    attach: 'إضافة ملفات',
    drop: 'أفلت الملفات هنا',
    uploading: 'جارٍ رفع {name}',
    remove: 'إزالة {name}',
    retry: 'رفع {name} مرة أخرى',
    waiting: 'ستُرسل رسالتك عند اكتمال رفع ملفاتها.',
    heldBack: 'لم تُرسل بعد: ارفع الملف مرة أخرى أو أزله.',
    tooLarge: 'كبير جدًا: الحد الأقصى {size}',
    wrongType: 'هذا النوع من الملفات غير مقبول',
    refused: 'رُفض هذا الملف',
    notUploaded: 'لم يُرفع',
  },
  de: {
    files: 'Dateien dieser Nachricht',
    attach: 'Dateien hinzufügen',
    drop: 'Dateien hier ablegen',
    uploading: '{name} wird hochgeladen',
    remove: '{name} entfernen',
    retry: '{name} erneut hochladen',
    waiting: 'Ihre Nachricht geht hinaus, sobald ihre Dateien hochgeladen sind.',
    heldBack: 'Noch nicht gesendet: Laden Sie die Datei erneut hoch oder entfernen Sie sie.',
    tooLarge: 'Zu groß: höchstens {size}',
    wrongType: 'Diese Art von Datei wird nicht angenommen',
    refused: 'Diese Datei wurde abgelehnt',
    notUploaded: 'Nicht hochgeladen',
  },
  es: {
    files: 'Archivos de este mensaje',
    attach: 'Añadir archivos',
    drop: 'Suelte los archivos aquí',
    uploading: 'Subiendo {name}',
    remove: 'Quitar {name}',
    retry: 'Volver a subir {name}',
    waiting: 'Su mensaje se enviará cuando se hayan subido sus archivos.',
    heldBack: 'Aún no se ha enviado: vuelva a subir el archivo o quítelo.',
    tooLarge: 'Demasiado grande: {size} como máximo',
    wrongType: 'No se acepta este tipo de archivo',
    refused: 'Se ha rechazado este archivo',
    notUploaded: 'No se ha subido',
  },
  fr: {
    files: 'Fichiers de ce message',
    attach: 'Ajouter des fichiers',
    drop: 'Déposez les fichiers ici',
    uploading: 'Envoi de {name} en cours',
    remove: 'Retirer {name}',
    retry: 'Renvoyer {name}',
    waiting: 'Votre message partira dès que ses fichiers seront envoyés.',
    heldBack: 'Pas encore envoyé : renvoyez le fichier ou retirez-le.',
    tooLarge: 'Trop volumineux : {size} au maximum',
    wrongType: 'Ce type de fichier n’est pas accepté',
    refused: 'Ce fichier a été refusé',
    notUploaded: 'Fichier non envoyé',
  },
  he: {
    files: 'הקבצים של ההודעה',
    attach: 'הוספת קבצים',
    drop: 'אפשר לשחרר כאן קבצים',
    uploading: '{name} בהעלאה',
    remove: 'הסרת {name}',
    retry: 'העלאת {name} שוב',
    waiting: 'ההודעה תישלח כשהקבצים יועלו.',
    heldBack: 'עדיין לא נשלחה: יש להעלות שוב את הקובץ או להסיר אותו.',
    tooLarge: 'גדול מדי: עד {size}',
    wrongType: 'סוג הקובץ הזה לא מתקבל',
    refused: 'הקובץ נדחה',
    notUploaded: 'לא הועלה',
  },
  it: {
    files: 'File di questo messaggio',
    attach: 'Aggiungi file',
    drop: 'Rilasci qui i file',
    uploading: 'Caricamento di {name}',
    remove: 'Rimuovi {name}',
    retry: 'Carica di nuovo {name}',
    waiting: 'Il messaggio partirà quando i suoi file saranno caricati.',
    heldBack: 'Non ancora inviato: carichi di nuovo il file o lo rimuova.',
    tooLarge: 'Troppo grande: al massimo {size}',
    wrongType: 'Questo tipo di file non è accettato',
    refused: 'Questo file è stato rifiutato',
    notUploaded: 'Non caricato',
  },
  ja: {
    files: 'このメッセージのファイル',
    attach: 'ファイルを追加',
    drop: 'ここにファイルをドロップ',
    uploading: '{name} をアップロード中',
    remove: '{name} を削除',
    retry: '{name} を再アップロード',
    waiting: 'ファイルのアップロードが終わると送信されます。',
    heldBack: 'まだ送信されていません。ファイルを再アップロードするか、削除してください。',
    tooLarge: 'サイズが大きすぎます（最大 {size}）',
    wrongType: 'この種類のファイルは送れません',
    refused: 'このファイルは受け付けられませんでした',
    notUploaded: 'アップロードできませんでした',
  },
  nl: {
    files: 'Bestanden bij dit bericht',
    attach: 'Bestanden toevoegen',
    drop: 'Zet de bestanden hier neer',
    uploading: '{name} wordt geüpload',
    remove: '{name} verwijderen',
    retry: '{name} opnieuw uploaden',
    waiting: 'Uw bericht wordt verstuurd zodra de bestanden zijn geüpload.',
    heldBack: 'Nog niet verstuurd: upload het bestand opnieuw of verwijder het.',
    tooLarge: 'Te groot: hoogstens {size}',
    wrongType: 'Dit soort bestand wordt niet aangenomen',
    refused: 'Dit bestand is geweigerd',
    notUploaded: 'Niet geüpload',
  },
  pl: {
    files: 'Pliki tej wiadomości',
    attach: 'Dodaj pliki',
    drop: 'Upuść pliki tutaj',
    uploading: 'Przesyłanie: {name}',
    remove: 'Usuń {name}',
    retry: 'Prześlij ponownie: {name}',
    waiting: 'Wiadomość zostanie wysłana po przesłaniu plików.',
    heldBack: 'Jeszcze nie wysłano: prześlij plik ponownie lub go usuń.',
    tooLarge: 'Za duży: najwyżej {size}',
    wrongType: 'Ten rodzaj pliku nie jest przyjmowany',
    refused: 'Ten plik został odrzucony',
    notUploaded: 'Nie przesłano',
  },
  pt: {
    files: 'Arquivos desta mensagem',
    attach: 'Adicionar arquivos',
    drop: 'Solte os arquivos aqui',
    uploading: 'Enviando {name}',
    remove: 'Remover {name}',
    retry: 'Enviar {name} novamente',
    waiting: 'Sua mensagem será enviada quando os arquivos terminarem de carregar.',
    heldBack: 'Ainda não enviada: envie o arquivo novamente ou remova-o.',
    tooLarge: 'Grande demais: no máximo {size}',
    wrongType: 'Este tipo de arquivo não é aceito',
    refused: 'Este arquivo foi recusado',
    notUploaded: 'Não enviado',
  },
  zh: {
    files: '此消息的文件',
    attach: '添加文件',
    drop: '将文件拖放到此处',
    uploading: '正在上传 {name}',
    remove: '移除 {name}',
    retry: '重新上传 {name}',
    waiting: '文件上传完成后，消息将自动发送。',
    heldBack: '尚未发送：请重新上传文件或将其移除。',
    tooLarge: '文件过大：最大 {size}',
    wrongType: '不接受此类文件',
    refused: '此文件被拒绝',
    notUploaded: '未上传',
  },
};

/** Returns the texts for a locale; English for an unknown language. */
export function selectToolTexts(locale: string): ToolTexts {
  return TEXTS[new Intl.Locale(locale).language] ?? ENGLISH;
}
