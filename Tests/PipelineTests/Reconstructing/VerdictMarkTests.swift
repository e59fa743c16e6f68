import Amounts
import CivilTime
@testable import Pipeline
import PriceLearning
import PurchaseModel
import Testing

struct VerdictMarkTests {
  @Test func `a change of any part of a verdict changes its mark`() throws {
    let month = try #require(Period(text: "P1M"))
    let usual = StoredVerdict(
      verdict: .believed, reference: Milliunits(9990), place: Storefront("POL"), isConfirmed: false)
    var others = [StoredVerdict](repeating: usual, count: 8)
    others[0].verdict = .outvoted
    others[1].reference = nil
    others[2].reference = Milliunits(12_990)
    others[3].place = nil
    others[4].isConfirmed = true
    others[5].isOutnumbered = true
    others[6].instalment = Instalment(count: 12, length: month)
    others[7].instalment = Instalment(count: 6, length: month)
    let all = [usual] + others
    for left in all.indices {
      for right in all.indices {
        #expect((VerdictMark(all[left]) == VerdictMark(all[right])) == (left == right))
      }
    }
    #expect(VerdictMark(usual) != .none)
  }
}
