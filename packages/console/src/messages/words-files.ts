export const latest = {
  day: ['Last 24 hours', '最近 24 小时'],
  week: ['Last 7 days', '最近 7 天'],
  month: ['Last 30 days', '最近 30 天'],
} as const;

export const fileWords = {
  files: {
    lead: [
      'The PDFs that you have uploaded as shipping labels and packing lists. Use their URLs in a spreadsheet or in the form of a parcel.',
      '您上传的面单和装箱单 PDF。可将其网址填入表格或包裹表单。',
    ],
    upload: ['Upload PDFs', '上传 PDF'],
    uploadHint: [
      'Choose up to {0} PDFs at once, or drop them here. At most 10 MB each.',
      '一次最多选择 {0} 个 PDF 文件，或将其拖放到此处。每个最大 10 MB。',
    ],
    uploadMore: ['Files that you choose now are uploaded after these.', '现在选择的文件将排在这些文件之后上传。'],
    progress: ['{0} of {1|file|files}', '已处理 {0} / {1} 个文件'],
    finished: ['{0|file|files} uploaded, {1} not uploaded', '{0} 个文件已上传，{1} 个未上传'],
    results: ['Uploads', '上传结果'],
    states: {
      waiting: ['Waiting', '等待中'],
      uploading: ['Uploading', '上传中'],
      done: ['Uploaded', '已上传'],
      failed: ['Not uploaded', '未上传'],
    },
    before: ['You had uploaded this file before.', '您之前已上传过此文件。'],
    tooMany: [
      '{0|file was|files were} not taken: at most {1} at once, and {2} in one list. Choose these again when the others are uploaded:',
      '有 {0} 个文件未加入：一次最多 {1} 个，一个列表最多 {2} 个。请在其他文件上传后重新选择：',
    ],
    copyTable: ['Copy names and URLs', '复制文件名和网址'],
    copyTableHint: [
      'Paste them into a spreadsheet: each row has the name and the URL of a file.',
      '可粘贴到表格中：每行为一个文件的名称和网址。',
    ],
    copyList: ['Copy names and URLs of the list', '复制列表的文件名和网址'],
    reading: ['{0|file|files} read…', '已读取 {0} 个文件…'],
    copiedRows: ['Names and URLs of {0|file|files} copied', '已复制 {0} 个文件的名称和网址'],
    copiedFirst: [
      'Names and URLs of the newest {0} files copied. The list has more: filter it.',
      '已复制最新 {0} 个文件的名称和网址。列表中还有更多文件，请筛选。',
    ],
    copyAgain: ['{0|file|files} read. Press the button again to copy.', '已读取 {0} 个文件，请再次点击按钮复制。'],
    own: ['Uploaded files', '已上传的文件'],
    name: ['File', '文件'],
    size: ['Size', '大小'],
    time: ['Uploaded', '上传时间'],
    usedBy: ['Used by', '使用处'],
    unused: ['Not used', '未使用'],
    more: ['and {0} more', '另有 {0} 个'],
    urlOf: ['the URL of {0}', ' {0} 的网址'],
    use: ['Use', '使用情况'],
    uses: { all: ['Used and not used', '已使用和未使用'], true: ['Used', '已使用'], false: ['Not used', '未使用'] },
    ranges: { all: ['Any time', '全部时间'], ...latest },
    deleteOf: ['Delete {0}', '删除 {0}'],
    deleteTitle: ['Delete this file?', '要删除此文件吗？'],
    deleteText: [
      '{0} is deleted, and its URL no longer opens it. This cannot be undone.',
      '{0} 将被删除，其网址不再有效。此操作无法撤销。',
    ],
    deleted: ['File deleted.', '文件已删除。'],
    empty: ['No files yet', '还没有文件'],
    emptyHint: ['Upload the shipping labels and packing lists of your parcels here.', '请在此上传包裹的面单和装箱单。'],
    noMatch: ['No files match these filters', '没有符合条件的文件'],
  },
  leaving: {
    title: ['Leave without saving?', '不保存就离开吗？'],
    text: ['What you have entered on this page is lost if you leave it.', '离开后，本页已填写的内容将丢失。'],
    leave: ['Leave the page', '离开本页'],
    stay: ['Stay', '留在本页'],
  },
} as const;
