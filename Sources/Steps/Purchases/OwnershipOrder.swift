internal import Parallel
internal import PurchaseModel

/// An ownership with the sort position of its text among the symbols' texts.
struct OrderedOwnership: Comparable {
  var type: OwnershipType
  var place: Int64

  static func < (left: OrderedOwnership, right: OrderedOwnership) -> Bool {
    left.place < right.place
  }
}

/// The sort positions of the two known ownerships among the symbols of a sorted table.
///
/// The position of a symbol is four times its number; the known texts get positions in between.
struct OwnershipOrder {
  private let purchased: Int64
  private let familyShared: Int64

  init(_ symbols: SymbolTable) {
    purchased = Self.place(of: "PURCHASED", in: symbols)
    familyShared = Self.place(of: "FAMILY_SHARED", in: symbols)
  }

  func ordered(_ type: OwnershipType) -> OrderedOwnership {
    switch type {
    case .purchased: OrderedOwnership(type: type, place: purchased)
    case .familyShared: OrderedOwnership(type: type, place: familyShared)
    case .unrecognized(let symbol):
      OrderedOwnership(type: type, place: Int64(symbol.rawValue) * 4)
    }
  }

  private static func place(of text: String, in symbols: SymbolTable) -> Int64 {
    let next = (0..<symbols.count).firstPosition { number in
      !symbols.utf8(Symbol(rawValue: UInt32(number))).lexicographicallyPrecedes(text.utf8)
    }
    // If both texts are between the same two symbols, FAMILY_SHARED precedes PURCHASED.
    return Int64(next) * 4 - (text == "PURCHASED" ? 1 : 2)
  }
}
