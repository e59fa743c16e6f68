/// The pages of one history in one run, which must end.
///
/// Each page of a faulty service may lead to an earlier page, or to a new page for ever.
struct PageSequence {
  private var tokens: Set<String> = []
  private let longest: Int

  /// Creates an empty sequence of at most `longest` pages.
  init(longest: Int) { self.longest = longest }

  /// Adds the token of the next page; returns false if this page must not be requested.
  mutating func add(_ token: String) -> Bool {
    tokens.count < longest && tokens.insert(token).inserted
  }
}
