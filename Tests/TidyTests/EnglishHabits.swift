/// A habit of words that is hard to understand for newcomers, with the plain words to use instead.
struct EnglishHabit: Sendable {
  /// The name of the habit in `english-limits.txt`.
  var name: String
  /// The plain words.
  var instead: String
  /// Counts the occurrences in a file.
  var count: @Sendable (Prose) -> Int

  private init(_ name: String, instead: String, count: @escaping @Sendable (Prose) -> Int) {
    self.name = name
    self.instead = instead
    self.count = count
  }

  /// A habit of words or phrases, counted wherever they occur.
  private static func words(_ name: String, _ phrases: String..., instead: String) -> EnglishHabit {
    let wanted = (phrases.isEmpty ? [name, name + "s"] : phrases).map(Prose.words)
    return EnglishHabit(name, instead: instead) { prose in
      wanted.reduce(0) { $0 + prose.count(of: $1) }
    }
  }

  /// A habit of documentation comments, decided by the comment and the declaration below it.
  private static func comments(
    _ name: String, instead: String,
    _ isOne: @escaping @Sendable (DocumentedDeclaration) -> Bool
  ) -> EnglishHabit {
    EnglishHabit(name, instead: instead) { prose in
      prose.declarations.reduce(0) { $0 + (isOne($1) ? 1 : 0) }
    }
  }

  /// All habits.
  static let all: [EnglishHabit] = verbs + idioms + comments + metaphors

  /// People's verbs that are used for code.
  private static let verbs = [
    words("tell", "tell", "tells", "telling", "told", instead: "return, report, log, show"),
    words("say", "say", "says", "saying", "said", instead: "state, contain, mean"),
    words(
      "hand on", "hand on", "hands on", "handed on", "handing on", "hand over", "hands over",
      "handed over", instead: "pass, write"),
    words("lend", "lend", "lends", "lent", instead: "with…"),
    words("see", "sees", "seen", "seeing", instead: "read, find"),
    words("take", "takes", "taking", "took", instead: "accept, read, consume, use"),
    words("ask", "ask", "asks", "asked", instead: "request, query, call"),
    words("judge", "judge", "judges", "judged", "judging", instead: "validate, check"),
  ]

  private static let idioms = [
    // At the beginning of a sentence it is a verb: the function counts something.
    EnglishHabit("counts", instead: "is included, is used") { $0.count(within: "counts") },
    words("alone", "alone", instead: "only"),
    words("anew", "anew", "once more", instead: "again"),
    words("and no", "and no", instead: "X, not Y"),
    EnglishHabit("a for per", instead: "bytes per page") { $0.countOfUnits },
    EnglishHabit("open end", instead: "name what do, does, such, so, one or the same stands for") {
      $0.countOfOpenEnds
    },
  ]

  private static let comments = [
    comments("by key", instead: "Prices, keyed by chain.") { $0.words.first == "by" },
    comments("whether", instead: "an active verb, or the value that is meant") {
      $0.words.first == "whether" && $0.isOtherThanBoolean
    },
    comments("noun on an action", instead: "an active verb") {
      ["the", "a", "an", "those"].contains($0.words.first) && $0.isAction
    },
    // A field of Apple, an example, a unit or a time zone is more than the repeated name.
    comments("three words", instead: "no comment: a good name needs none") {
      $0.words.filter { $0.first?.isLetter ?? false }.count <= 3 && !$0.hasExample
        && !$0.words.contains("utc")
    },
    comments("describes", instead: "no comment: the parameters are the members") {
      $0.words.first == "describes"
    },
  ]

  /// Words that only this project uses, except the glossary's words household and voter.
  private static let metaphors = [
    "night", "news", "lesson", "book", "nobody", "course", "encounter", "bench", "share", "piece",
    "portion",
  ].map { words($0, $0, $0 + "s", instead: "the field's word, or the glossary's") }
}
