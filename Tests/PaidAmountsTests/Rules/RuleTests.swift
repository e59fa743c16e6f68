import Testing
import TestSupport

/// A case of a rule with the expected outcome of one row, computed by hand.
///
/// `Tests/Scenarios` has the stories of all rules; here is what they do not say.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var story: String
  var row: String
  var expected: String
  var build: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

struct RuleTests {
  @Test(
    arguments: namingCases + chargedCases + chainCases + customerCases + historyCases + listCases)
  func `a row is priced by the first rule that applies`(_ given: RuleCase) throws {
    let story = try Story(given.build)
    #expect(try story.line(given.row) == given.expected)
  }
}
