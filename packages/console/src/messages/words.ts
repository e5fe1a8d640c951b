import { type Localized, wordsIn } from '@parcelway/page/languages';
import { commonWords } from '@parcelway/page/messages/common';
import { inWords } from './sentences.ts';
import { sentences as english } from './sentences-en.ts';
import { sentences as chinese } from './sentences-zh.ts';
import { activityWords } from './words-activity.ts';
import { deliveryWords } from './words-deliveries.ts';
import { fileWords } from './words-files.ts';
import { importWords } from './words-imports.ts';
import { managementWords } from './words-management.ts';
import { findingWords, parcelFormWords, parcelWords } from './words-parcels.ts';
import { webhookWords } from './words-webhooks.ts';

function capitalised(text: string): string {
  const short = text.replace(/^is required\b/, 'required');
  return `${short.slice(0, 1).toUpperCase()}${short.slice(1)}`;
}

const words = {
  ...commonWords,
  nav: {
    label: ['Main', '主导航'],
    parcels: ['Parcels', '包裹'],
    imports: ['Imports', '导入'],
    files: ['Files', '文件'],
    webhooks: ['Webhooks', 'Webhook'],
    events: ['Events', '事件'],
    connections: ['Connections', '承运商账号'],
    keys: ['Keys', '密钥'],
    activity: ['Activity', '活动记录'],
    reference: ['API reference', 'API 文档'],
    guides: ['Guides', '使用指南'],
  },
  signIn: {
    title: ['Sign in', '登录'],
    lead: ['Submit and follow your parcels, and see the result of every webhook.', '提交和跟踪您的包裹，查看每一次 Webhook 投递的结果。'],
    key: ['API key', 'API 密钥'],
    hint: [
      'The key is kept only in the memory of this page. This tab keeps a session of 8 hours at most, also when you reload it. Sign out to end it.',
      '密钥只保存在本页面的内存中。本标签页会保留一个最长 8 小时的会话，刷新后仍然有效。退出即可结束会话。',
    ],
    show: ['Show key', '显示密钥'],
    shape: [
      'An API key starts with pf_test_ or pf_live_. You get one from the operator of the platform. A sandbox on your own computer writes one to the file quickstart.json.',
      'API 密钥以 pf_test_ 或 pf_live_ 开头。密钥由平台运营方提供；在您自己的电脑上运行的沙箱会将其写入 quickstart.json 文件。',
    ],
    refused: ['You were signed out: the key has expired or has been revoked.', '您已退出：密钥已过期或已被吊销。'],
    ended: ['Your session has ended. Sign in again, or open a new link.', '会话已结束。请重新登录，或打开新的链接。'],
  },
  link: {
    failed: ['The link that you opened does not work.', '您打开的链接无法使用。'],
    ended: ['It has ended, was revoked, or is incomplete. Open a new link.', '链接已过期、已被吊销或不完整，请打开新的链接。'],
    suspended: ['Its account is suspended.', '该链接所属的账户已被停用。'],
  },
  session: {
    link: ['You opened the console with a link. It works until {0}.', '您通过链接打开了控制台，有效期至 {0}。'],
    endsSoon: ['Your session ends soon, at {0}. Save what you are entering.', '会话即将于 {0} 结束，请保存正在填写的内容。'],
    again: ['Enter the key again', '再次输入密钥'],
    stays: [
      'With the key you go on where you are, and nothing that you have entered is lost.',
      '输入密钥后可在原处继续操作，已填写的内容不会丢失。',
    ],
    asBefore: ['You are signed in as before.', '您仍保持之前的登录。'],
    forKeys: [
      'After a reload, the page needs the key again to create, change or rotate keys.',
      '刷新页面后，创建、修改或轮换密钥需要再次输入密钥。',
    ],
  },
  common: {
    ...commonWords.common,
    secretSaved: ['I have copied it', '我已复制'],
    save: ['Save changes', '保存修改'],
    saved: ['Saved.', '已保存。'],
    all: ['All', '全部'],
    actions: ['Actions', '操作'],
    change: ['Change', '修改'],
    created: ['Created', '创建时间'],
    delete: ['Delete', '删除'],
    started: ['Started', '开始时间'],
    clear: ['Clear filters', '清除筛选'],
    filter: ['Filter', '筛选'],
    unknownPageHint: ['The address may be incomplete.', '地址可能不完整。'],
    toParcels: ['Go to parcels', '前往包裹'],
    remove: ['Remove {0}', '移除{0}'],
    optional: ['optional', '选填'],
  },
  failures: {
    ...commonWords.failures,
    unreadable: [
      'The response did not come from the platform. A proxy may have sent it. Try again. If it happens again, contact your network administrator.',
      '响应并非来自平台，可能来自中间代理。请重试；如持续出现，请联系网络管理员。',
    ],
    otherAccount: [
      'This key belongs to another account. Use a key of the account that is open, or sign out first.',
      '该密钥属于其他账户。请使用当前账户的密钥，或先退出登录。',
    ],
    badKey: [
      'This key is invalid, expired, revoked, or belongs to the other environment. Check that you copied the whole key.',
      '密钥无效、已过期、已被吊销，或属于另一环境。请确认已复制完整的密钥。',
    ],
    noPermission: [
      'This key does not have the required permission. Use a key with this scope:',
      '该密钥没有此项权限。请使用具有以下权限范围的密钥：',
    ],
    warehouseKey: ['This page is for merchants. Sign in with the key of a tenant.', '本页面面向商家，需要使用商家（租户）的密钥。'],
    wrongAddress: [
      'Access is not allowed from your network address. Ask the owner of the key to add it, or use another network.',
      '不允许从您的网络地址访问。请让密钥的所有者添加该地址，或改用其他网络。',
    ],
    suspended: ['Your account is suspended. Contact the operator of the platform.', '您的账户已被停用，请联系平台运营方。'],
    noParcel: ['No parcel has this number.', '没有该单号的包裹。'],
    changed: [
      'Somebody has corrected this parcel in the meantime. Nothing was saved. Load it again, then check your changes.',
      '该包裹刚刚已被他人更正，您的更改尚未保存。请重新加载后再检查。',
    ],
    numberTaken: ['A logistics number is in use by another live parcel.', '有物流单号正被另一个有效包裹使用。'],
    foreignFile: [
      'The platform does not know this file. Upload it here, or use a URL that an upload of yours has returned.',
      '平台不认识该文件。请在此处上传，或使用您上传后得到的网址。',
    ],
    poTaken: ['A parcel with this PO number and other content exists.', '已存在 PO 单号相同但内容不同的包裹。'],
    noFile: ['The file did not arrive. Choose it again.', '没有收到文件，请重新选择。'],
    fileKind: ['This kind of file is not accepted.', '不接受此类文件。'],
    fileSize: ['The file is too large.', '文件过大。'],
    tooMany: ['Too many requests. Try again in {0|second|seconds}.', '请求过于频繁，请在 {0} 秒后重试。'],
    carrier: [
      'The carrier is not responding. The platform keeps trying. Check again in a minute.',
      '承运商暂时没有响应。平台会持续查询，请一分钟后再看。',
    ],
    detail: [(sentence: string): string => inWords(sentence, english), (sentence: string): string => inWords(sentence, chinese)],
  },
  ...activityWords,
  faults: {
    /** A sentence of the platform without its field. */
    say: [(sentence: string): string => inWords(sentence, english), (sentence: string): string => inWords(sentence, chinese)],
    of: ['{0} {1}', '{0} {1}'],
    /** Where the field is named beside the text. */
    alone: [capitalised, (text: string): string => text.replace(/^为必填项/, '必填')],
    entry: ['Entry {0}', '第 {0} 项'],
  },
  ...fileWords,
  ...findingWords,
  ...importWords,
  ...managementWords,
  ...parcelFormWords,
  ...webhookWords,
  ...deliveryWords,
  ...parcelWords,
} as const;

export type Messages = Localized<typeof words>;
export const en: Messages = wordsIn(words, 0);
export const zh: Messages = wordsIn(words, 1);
