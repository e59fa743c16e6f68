internal import Testing

/// Words that a documentation comment never begins with.
///
/// It begins with a noun or an active verb: "The number of rows." and not "How many rows it has."
private let questionWords: Set<String> = [
  "How", "That", "What", "When", "Where", "Which", "Who", "Whom", "Whose", "Why",
]
private let longestLine = 100

extension SourceFile {
  /// The lines that are wholly comment, by number, with the text after the slashes.
  fileprivate var comments: [(number: Int, isDocumentation: Bool, text: Substring)] {
    lines.enumerated().compactMap { index, line in
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix("//") else { return nil }
      let text = trimmed.drop { $0 == "/" }.drop { $0 == " " }
      return (index + 1, trimmed.hasPrefix("///"), text)
    }
  }

  /// The lines on which a documentation comment begins with a question word.
  fileprivate var riddles: [Int] {
    var previous = -1
    return comments.filter(\.isDocumentation).compactMap { comment in
      defer { previous = comment.number }
      let word = comment.text.prefix { $0.isLetter }
      return previous + 1 < comment.number && questionWords.contains(String(word))
        ? comment.number : nil
    }
  }

  /// The comment lines that do not fit 100 columns.
  fileprivate var longComments: [Int] {
    comments.map(\.number).filter { lines[$0 - 1].count > longestLine }
  }
}

@Test func `documentation begins with a noun or a verb`() {
  #expect(Repository.sources.count > 400)
  for file in Repository.sources + Repository.tests {
    for line in file.riddles {
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
      // What is no documentation may, too.
      \(documented) Whose it is.
      """)
  #expect(file.riddles == [1, 11])
  #expect(file.longComments == [9])
}
