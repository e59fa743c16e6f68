import Glibc
public func h2t(_ c: Character) -> Bool {
  guard let p = unsafe getenv("H2T") else { return false }
  return unsafe String(cString: p).contains(c)
}
