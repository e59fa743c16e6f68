import CivilTime
import PurchaseModel
import Testing

@Suite struct `The first day of a customer` {
  private func arrival(_ day: Int64, _ place: String?) -> CustomerArrival {
    CustomerArrival(on: CivilDay(daysSinceEpoch: day), in: place.flatMap { Storefront($0) })
  }

  @Test func `the first day and the first storefront need not be of one record`() {
    var found = arrival(10, nil)
    found.add(arrival(14, "USA"))
    found.add(arrival(12, "DEU"))
    found.add(arrival(11, nil))
    #expect(found.day.daysSinceEpoch == 10)
    #expect(found.storefront == Storefront("DEU"))
    #expect(found.daysUntilPlaced == 2)
  }

  @Test func `the order of records changes nothing`() {
    let all = [
      arrival(5, "USA"), arrival(5, "DEU"), arrival(3, nil), arrival(9, "AUT"), arrival(4, nil),
    ]
    var expected = all[0]
    for other in all.dropFirst() { expected.add(other) }
    #expect(expected.storefront == Storefront("DEU"))
    for start in all.indices {
      for order in [
        all[start...] + all[..<start], Array((all[start...] + all[..<start]).reversed())[...],
      ] {
        var found = order[order.startIndex]
        for other in order.dropFirst() { found.add(other) }
        #expect(found == expected)
      }
    }
  }
}
