/*
 * Shows the times of a page in the reader's time zone, with UTC beside it. Without a script they are in UTC.
 */

const { lang } = document.documentElement;
const format = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
for (const time of document.querySelectorAll('time')) {
  const moment = new Date(time.dateTime);
  if (moment.getTimezoneOffset() !== 0) time.textContent = `${format.format(moment)} (${time.textContent})`;
}
