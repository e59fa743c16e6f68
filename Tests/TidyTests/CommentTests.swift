internal import Testing

/// Words with which no comment may begin.
///
/// A comment begins with a noun or an active verb: "The number of rows.", not "How many rows it
/// has."
private let questionWords: Set<String> = [
  "How", "What", "Where", "Which", "Who", "Whom", "Whose", "Why",
]
/// Further words with which no documentation comment may begin.
private let otherWords: Set<String> = ["That", "Those", "When"]
private let longestLine = 100

extension SourceFile {
  /// The lines that contain only a comment, with their numbers and the text after the slashes.
  fileprivate var comments: [(number: Int, isDocumentation: Bool, text: Substring)] {
    lines.enumerated().compactMap { index, line in
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix("//") else { return nil }
      let text = trimmed.drop { $0 == "/" }.drop { $0 == " " }
      return (index + 1, trimmed.hasPrefix("///"), text)
    }
  }

  /// The lines on which a comment begins with a question word.
  fileprivate var unclearComments: [Int] {
    var previous = -1
    return comments.compactMap { comment in
      defer { previous = comment.number }
      let word = String(comment.text.prefix { $0.isLetter })
      let isUnclear =
        questionWords.contains(word) || comment.isDocumentation && otherWords.contains(word)
      return previous + 1 < comment.number && isUnclear ? comment.number : nil
    }
  }

  /// The comment lines with more than 100 columns.
  fileprivate var longComments: [Int] {
    comments.map(\.number).filter { lines[$0 - 1].count > longestLine }
  }
}

@Test func `a comment begins with a noun or a verb`() {
  #expect(Repository.sources.count > 400)
  for file in Repository.sources + Repository.tests {
    for line in file.unclearComments {
      Issue.record("\(file.path):\(line): begin with a noun or an active verb")
    }
  }
}

@Test func `no comment is longer than a line`() {
  for file in Repository.sources + Repository.tests {
    for line in file.longComments {
      Issue.record("\(file.path):\(line): wrap the comment at \(longestLine) columns")
    }
  }
}

@Test func `the lint of comments finds what it looks for`() {
  let long = String(repeating: "x", count: 96)
  let comment = "/" + "/"
  let documented = "/" + "//"
  let file = SourceFile(
    path: "Sources/Basics/Amounts/Example.swift",
    text: """
      \(documented) What a row costs.
      let price = 1
      \(documented) The price of a row.
      \(documented)
      \(documented) What follows a first line may begin as it likes.
      let other = 2
        \(documented) Whether it is free.
        let isFree = true
          // \(long)
      let third = 3
      // When the price changes.
      let fourth = 4
      \(comment) What the price was.
      let fifth = 5
      \(documented) That which follows.
      """)
  #expect(file.unclearComments == [1, 13, 15])
  #expect(file.longComments == [9])
}
