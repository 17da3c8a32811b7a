import type { ByLanguage } from '../../locales/catalogue.ts';

/** Texts of the request for an answer by email, in one language. `{email}` is filled in. */
export interface ContactTexts {
  readonly offer: string;
  readonly hint: string;
  /** Labels of the fields. */
  readonly name: string;
  readonly email: string;
  readonly text: string;
  readonly send: string;
  readonly cancel: string;
  readonly thanks: string;
  readonly failed: string;
  /** The token proxy rejects the address. */
  readonly refused: string;
}

/** All languages in one file, because they are small and load with the part. */
export const CONTACT_TEXTS: ByLanguage<ContactTexts> = {
  en: {
    offer: 'Leave a message',
    hint: 'We’ll reply by email.',
    name: 'Name (optional)',
    email: 'Email address',
    text: 'Your message',
    send: 'Send',
    cancel: 'Cancel',
    thanks: 'Thank you. We’ll reply to {email}.',
    failed: 'Not sent. Please try again.',
    refused: 'Please check the email address.',
  },
  ar: {
    offer: 'اترك رسالة',
    hint: 'سنرد عبر البريد الإلكتروني.',
    name: 'الاسم (اختياري)',
    email: 'البريد الإلكتروني',
    text: 'رسالتك',
    send: 'إرسال',
    cancel: 'إلغاء',
    thanks: 'شكرًا لك. سنرد على {email}.',
    failed: 'لم تُرسل. حاول مرة أخرى.',
    refused: 'يرجى التحقق من البريد الإلكتروني.',
  },
  de: {
    offer: 'Nachricht hinterlassen',
    hint: 'Wir antworten per E-Mail.',
    name: 'Name (freiwillig)',
    email: 'E-Mail-Adresse',
    text: 'Ihre Nachricht',
    send: 'Senden',
    cancel: 'Abbrechen',
    thanks: 'Vielen Dank. Wir antworten an {email}.',
    failed: 'Nicht gesendet. Bitte noch einmal versuchen.',
    refused: 'Bitte prüfen Sie die E-Mail-Adresse.',
  },
  es: {
    offer: 'Dejar un mensaje',
    hint: 'Le responderemos por correo electrónico.',
    name: 'Nombre (opcional)',
    email: 'Correo electrónico',
    text: 'Su mensaje',
    send: 'Enviar',
    cancel: 'Cancelar',
    thanks: 'Gracias. Le responderemos a {email}.',
    failed: 'No enviado. Inténtelo de nuevo.',
    refused: 'Compruebe la dirección de correo electrónico.',
  },
  fr: {
    offer: 'Laisser un message',
    hint: 'Nous vous répondrons par e-mail.',
    name: 'Nom (facultatif)',
    email: 'Adresse e-mail',
    text: 'Votre message',
    send: 'Envoyer',
    cancel: 'Annuler',
    thanks: 'Merci. Nous vous répondrons à l’adresse {email}.',
    failed: 'Non envoyé. Veuillez réessayer.',
    refused: 'Veuillez vérifier l’adresse e-mail.',
  },
  he: {
    offer: 'השארת הודעה',
    hint: 'התשובה תישלח בדוא״ל.',
    name: 'שם (לא חובה)',
    email: 'כתובת דוא״ל',
    text: 'ההודעה שלך',
    send: 'שליחה',
    cancel: 'ביטול',
    thanks: 'תודה. התשובה תישלח אל {email}.',
    failed: 'ההודעה לא נשלחה. נא לנסות שוב.',
    refused: 'נא לבדוק את כתובת הדוא״ל.',
  },
  it: {
    offer: 'Lascia un messaggio',
    hint: 'Le risponderemo per e-mail.',
    name: 'Nome (facoltativo)',
    email: 'Indirizzo e-mail',
    text: 'Il suo messaggio',
    send: 'Invia',
    cancel: 'Annulla',
    thanks: 'Grazie. Le risponderemo all’indirizzo {email}.',
    failed: 'Non inviato. Riprovi.',
    refused: 'Controlli l’indirizzo e-mail.',
  },
  ja: {
    offer: 'メッセージを残す',
    hint: 'メールでご返信します。',
    name: 'お名前（任意）',
    email: 'メールアドレス',
    text: 'メッセージ',
    send: '送信',
    cancel: 'キャンセル',
    thanks: 'ありがとうございます。{email} 宛にご返信します。',
    failed: '送信できませんでした。もう一度お試しください。',
    refused: 'メールアドレスをご確認ください。',
  },
  nl: {
    offer: 'Bericht achterlaten',
    hint: 'We antwoorden u per e-mail.',
    name: 'Naam (optioneel)',
    email: 'E-mailadres',
    text: 'Uw bericht',
    send: 'Versturen',
    cancel: 'Annuleren',
    thanks: 'Bedankt. We antwoorden u op {email}.',
    failed: 'Niet verstuurd. Probeer het opnieuw.',
    refused: 'Controleer het e-mailadres.',
  },
  pl: {
    offer: 'Zostaw wiadomość',
    hint: 'Odpowiemy e-mailem.',
    name: 'Imię i nazwisko (opcjonalnie)',
    email: 'Adres e-mail',
    text: 'Twoja wiadomość',
    send: 'Wyślij',
    cancel: 'Anuluj',
    thanks: 'Dziękujemy. Odpowiemy na adres {email}.',
    failed: 'Nie wysłano. Spróbuj ponownie.',
    refused: 'Sprawdź adres e-mail.',
  },
  pt: {
    offer: 'Deixar uma mensagem',
    hint: 'Responderemos por e-mail.',
    name: 'Nome (opcional)',
    email: 'Endereço de e-mail',
    text: 'Sua mensagem',
    send: 'Enviar',
    cancel: 'Cancelar',
    thanks: 'Agradecemos o contato. A resposta será enviada para {email}.',
    failed: 'Não enviada. Tente novamente.',
    refused: 'Verifique o endereço de e-mail.',
  },
  zh: {
    offer: '留言',
    hint: '我们会通过电子邮件回复。',
    name: '姓名（选填）',
    email: '电子邮箱',
    text: '您的留言',
    send: '发送',
    cancel: '取消',
    thanks: '谢谢。我们会回复到 {email}。',
    failed: '未发送，请重试。',
    refused: '请检查电子邮箱地址。',
  },
};
