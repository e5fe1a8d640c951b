/** What the platform says of a field in English → the same in Chinese. Whatever is not here stays as it is. */
const SENTENCES: ReadonlyArray<readonly [sentence: RegExp, chinese: string]> = [
  [/ is required$/, ' 为必填项'],
  [/ must not be empty$/, ' 不能为空'],
  [/ must be an integer$/, ' 必须是整数'],
  [/ must be a number$/, ' 必须是数字'],
  [/ must be a string$/, ' 必须是文本'],
  [/ must be at least (\S+)$/, ' 不能小于 $1'],
  [/ must be at most (\S+)$/, ' 不能大于 $1'],
  [/ must be greater than (\S+)$/, ' 必须大于 $1'],
  [/ must have at least (\d+) characters$/, ' 至少需要 $1 个字符'],
  [/ must have at most (\d+) characters$/, ' 最多 $1 个字符'],
  [/ must have at least (\d+) elements?$/, ' 至少需要 $1 项'],
  [/ must have at most (\d+) elements$/, ' 最多 $1 项'],
  [/ must have at most (\d+) decimals$/, ' 最多 $1 位小数'],
  [/ must be one of (.+)$/, ' 必须是以下之一：$1'],
  [/ must not contain the same element twice$/, ' 不能有重复项'],
  [/ is in use by another live forecast$/, ' 正被另一个有效包裹使用'],
  [/^The columns (".+") and (".+") both fill (\w+);.*$/, '列 $1 和 $2 都对应字段 $3，请重命名其中一列或将其忽略'],
  [/^Row (\d+) of the same forecast has an error$/, '同一包裹的第 $1 行有错误'],
];

/** What the platform says of a field, in Chinese where there is a text for it. @param message such as `po_number is required`, or without the field */
export function faultInChinese(message: string): string {
  // The page shows the field beside the sentence, which then begins without it.
  const whole = ` ${message}`;
  for (const [sentence, chinese] of SENTENCES) {
    const text = sentence.source.startsWith('^') ? message : whole;
    if (sentence.test(text)) return text.replace(sentence, chinese).trim();
  }
  return message;
}
